"""The command line of ttrt, built from the table of arguments."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from ttrt.common.api import API
from ttrt.common.arguments import Argument
from ttrt.common.command import Command
from ttrt.common.errors import TTRTError
from ttrt.common.util import one_entry


def _parameter(argument: Argument) -> click.Parameter:
    if argument.positional:
        return click.Argument([argument.name], type=str, required=True)
    option = "--" + argument.name
    if argument.type is bool:
        return click.Option([option], is_flag=True, default=False, help=argument.help)
    options = [option, argument.short] if argument.short else [option]
    kind: Any = click.Choice(argument.choices) if argument.choices else argument.type
    return click.Option(
        options,
        type=kind,
        default=argument.default,
        multiple=argument.multiple,
        show_default=argument.default not in ("", ()),
        help=argument.help,
    )


def _command(api: type[Command]) -> click.Command:
    def call(**values: object) -> None:
        source = click.get_current_context().get_parameter_source
        default = click.core.ParameterSource.DEFAULT
        api(args={name: value for name, value in values.items() if source(name) != default})()

    return click.Command(
        api.name,
        callback=call,
        params=[_parameter(a) for a in api.arguments()],
        help=api.help,
        short_help=api.help,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from ttmlir import __version__

        click.echo(f"ttrt {__version__}")
        context.exit()


def build() -> click.Group:
    """Builds the command-line parser."""
    API.initialize_apis()
    version = click.Option(
        ["--version"],
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_show_version,
        help="show the version",
    )
    return click.Group(
        "ttrt",
        commands={name: _command(api) for name, api in API.registered_apis.items()},
        params=[version],
        help="ttrt: a runtime tool for parsing and executing flatbuffer binaries",
        context_settings={"help_option_names": ["-h", "--help"]},
        no_args_is_help=False,
    )


def run(arguments: list[str]) -> int:
    """Runs one command line and returns the exit status: 0, or 1 after any error.

    Errors while running a command are logged; errors in the command line are one line on
    stderr.
    """
    try:
        build().main(args=arguments, prog_name="ttrt", standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        return 1
    except click.Abort:
        click.echo("error: interrupted", err=True)
        return 1
    except TTRTError as error:
        if not error.results:
            click.echo(f"error: {one_entry(str(error))}", err=True)
        return 1
    except BrokenPipeError:
        # A closed pipe, such as `head`, is not an error. Python would complain at exit otherwise.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
