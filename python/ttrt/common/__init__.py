"""What the commands of ttrt share."""
