"""``python -m ttmlir.llm``: generates texts, and models speed and accuracy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar, get_args

import click

import ttmlir
from ttmlir import llm
from ttmlir._lowering import BACKENDS
from ttmlir._precision import Precision
from ttmlir.planning import PRECISIONS, TARGETS, amounts_of

F = TypeVar("F", bound=Callable[..., Any])


def _model_options(users: int, context: int) -> Callable[[F], F]:
    """Adds the options of ``ttmlir.llm.load``."""
    options = (
        click.argument("model"),
        click.option("--target", default="n150", show_default=True, help="the system"),
        click.option("--backend", type=click.Choice(BACKENDS), default="ttnn", show_default=True),
        click.option("--users", type=int, default=users, show_default=True),
        click.option("--context", type=int, default=context, show_default=True),
        click.option("--prefill-chunk", type=int, default=128, show_default=True),
        click.option("--page-size", type=int, help="tokens of a block of paged caches"),
        click.option("--pages", type=int, help="blocks of paged caches"),
        click.option("--parallel", help="data, tensor or sequence"),
    )

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


_PRECISION = click.Choice(get_args(Precision))


@click.group(help=__doc__)
def cli() -> None:
    pass


@cli.command()
@_model_options(1, 1024)
@click.option("--precision", type=_PRECISION, default="performance", show_default=True)
@click.option("--prompt", "prompts", multiple=True, required=True, help="a text; one for each user")
@click.option("--tokens", is_flag=True, help="prompts are numbers of tokens, such as '1 15043'")
@click.option("--max-new-tokens", type=int, default=64, show_default=True)
@click.option("--temperature", type=float, default=0.0, show_default=True)
@click.option("--top-k", type=int)
@click.option("--top-p", type=float)
@click.option("--seed", type=int, default=0, show_default=True)
def generate(
    model: str,
    prompts: tuple[str, ...],
    tokens: bool,
    max_new_tokens: int,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    seed: int,
    **keywords: Any,
) -> None:
    """Generate texts behind prompts with the model in the folder MODEL."""
    keywords["users"] = max(keywords["users"], len(prompts))
    loaded = llm.load(model, **keywords)
    given = [_numbers(text) for text in prompts] if tokens else list(prompts)
    is_one = len(given) == 1

    def show(token: llm.Token) -> None:
        if is_one:
            text = token.text if loaded.tokenizer is not None else f"{token.id} "
            click.echo(text, nl=False)

    found = loaded.generate(
        given,
        max_new_tokens=max_new_tokens,
        temperature=temperature,
        top_k=top_k,
        top_p=top_p,
        seed=seed,
        stream=show,
    )
    if is_one:
        click.echo()
    else:
        texts = found.texts or [" ".join(map(str, text)) for text in found.tokens]
        for prompt, text in zip(prompts, texts, strict=True):
            click.echo(f"{prompt!r}: {text}")
    click.echo(str(found.speed), err=True)


def _numbers(text: str) -> list[int]:
    try:
        return [int(word) for word in text.split()]
    except ValueError:
        raise ttmlir.InputError(f"--prompt: expected numbers of tokens, found {text!r}") from None


@cli.command()
@_model_options(32, 1024)
@click.option("--precision", type=_PRECISION, default="performance", show_default=True)
@click.option("--position", type=int, help="of the decoded token; the last one by default")
def estimate(model: str, position: int | None, **keywords: Any) -> None:
    """Model speed and memory of MODEL, a folder or a config.json."""
    click.echo(str(llm.load(model, **keywords).estimate(position)))


def _names(_context: Any, _parameter: Any, text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _amounts(_context: Any, parameter: Any, text: str) -> dict[str, float]:
    return amounts_of(text, f"--{parameter.name}")


@cli.command()
@click.argument("model")
@click.option(
    "--targets",
    default=",".join(TARGETS),
    show_default=True,
    callback=_names,
    help="systems to compare, separated by commas",
)
@click.option("--precisions", default=",".join(PRECISIONS), show_default=True, callback=_names)
@click.option("--users", type=int, default=32, show_default=True)
@click.option("--context", type=int, default=1024, show_default=True)
@click.option("--prompt", type=int, default=128, show_default=True, help="tokens of each prompt")
@click.option("--position", type=int, help="of the decoded token; the last one by default")
@click.option("--prefill-chunk", type=int, default=128, show_default=True)
@click.option("--prices", default="", callback=_amounts, help="of targets, as n150=999,t3000=11999")
@click.option("--watts", default="", callback=_amounts, help="of targets, as n150=160")
@click.option("--changes", type=int, default=3, show_default=True, help="to look for; 0 for none")
@click.option("--top", type=int, help="number of rows to show; all by default")
@click.option("--page", help="save the result as an HTML page")
@click.option("--json", help="save the result as a .json file")
def plan(model: str, top: int | None, page: str | None, json: str | None, **keywords: Any) -> None:
    """Model what MODEL, a folder or a config.json, costs on each target, divided over its chips."""
    found = llm.plan(model, **keywords)
    click.echo(found.text(top))
    for path in filter(None, (page, json)):
        found.save(path)


@cli.command()
@_model_options(1, 256)
@click.option("--precision", "precisions", type=_PRECISION, multiple=True, help="all by default")
@click.option("--prompt", "prompts", multiple=True, help="a text; one for each user")
@click.option("--max-new-tokens", type=int, default=64, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
def accuracy(
    model: str,
    precisions: tuple[Precision, ...],
    prompts: tuple[str, ...],
    max_new_tokens: int,
    seed: int,
    **keywords: Any,
) -> None:
    """Compare the tokens of MODEL with those of PyTorch in f32."""
    keywords["users"] = max(keywords["users"], len(prompts))
    chosen = precisions or get_args(Precision)
    given = list(prompts) or None
    found = llm.accuracy(
        model, precisions=chosen, prompts=given, tokens=max_new_tokens, seed=seed, **keywords
    )
    for line in found:
        click.echo(str(line))


def main(arguments: list[str] | None = None) -> int:
    """Runs a command, by default that of the process; returns the exit status."""
    try:
        cli.main(arguments, prog_name="python -m ttmlir.llm", standalone_mode=False)
    except (ttmlir.Error, ImportError) as error:
        message = str(error)
    except click.ClickException as error:
        message = error.format_message()
    except (click.Abort, KeyboardInterrupt):
        message = "interrupted"
    else:
        return 0
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
