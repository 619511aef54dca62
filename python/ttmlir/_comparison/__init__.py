"""What a comparison with a reference is made of: values of ops, how they are matched, tables."""
