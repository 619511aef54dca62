"""Language models: loading, compilation and generation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ttmlir._precision import Precision, dtype_of
from ttmlir._targets import resolve
from ttmlir.errors import Error, InputError
from ttmlir.llm import _requests
from ttmlir.llm._estimate import Estimate, Estimator, Exports
from ttmlir.llm._programs import Cost, Programs, Settings, division_of
from ttmlir.llm._session import Session
from ttmlir.llm._source import Source, source_of
from ttmlir.llm._step import Shape


@dataclass(frozen=True)
class Token:
    """A generated token.

    Args:
        user: the index of the prompt.
        id: of the token.
        text: the text that it adds; empty without a tokenizer, or if a character is incomplete.
    """

    user: int
    id: int
    text: str


@dataclass(frozen=True)
class Speed:
    """Modelled times on the chip, excluding host transfers, and times of the emulator.

    The time of a program is that of its first call in the generation. Attention takes longer at
    later positions; see ``Model.estimate``.

    Args:
        first_token: modelled seconds until all users have their first token.
        step: modelled seconds of a decode step.
        users: number of generated texts.
        host_first_token: seconds that the emulator took for the first tokens.
        host_step: seconds that the emulator took for a decode step; 0 if there was none.
        bytes_to_device: bytes transferred to the device in a decode step.
        bytes_to_host: bytes transferred to the host in a decode step.
    """

    first_token: float
    step: float
    users: int
    host_first_token: float
    host_step: float
    bytes_to_device: int
    bytes_to_host: int

    def __str__(self) -> str:
        lines = [f"first token: {self.first_token * 1e3:,.1f} ms modelled, "
                 f"{self.host_first_token:,.2f} s on the host"]  # fmt: skip
        if self.step:
            lines.append(
                f"decode: {1 / self.step:,.1f} t/s/u, {self.users / self.step:,.1f} t/s modelled, "
                f"{1 / self.host_step if self.host_step else 0:,.1f} t/s/u on the host"
            )
            lines.append(
                f"a step transfers {self.bytes_to_device:,} bytes to the device and "
                f"{self.bytes_to_host:,} to the host"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Generation:
    """The generated texts, one for each prompt.

    Args:
        tokens: new tokens, including the one that ends the text, if any.
        texts: the same as text; None without a tokenizer.
        speed: modelled and emulator times.
    """

    tokens: list[list[int]]
    texts: list[str] | None
    speed: Speed


class Model:
    """A language model on emulated chips; made by ``ttmlir.llm.load``.

    Programs are compiled, and parameters copied to the device, on first use. Not thread-safe.
    """

    def __init__(self, source: Source, settings: Settings) -> None:
        self._source, self.settings = source, settings
        self.tokenizer = source.tokenizer
        shapes = settings.shapes(source)
        self.vocabulary: int = shapes.get_input_embeddings().weight.shape[0]
        self._programs: Programs | None = None
        if source.weights is not None:
            self._programs = Programs(settings, shapes, source.weights)
        self._session: Session | None = None

    @property
    def compilations(self) -> int:
        """The number of programs compiled so far."""
        return 0 if self._programs is None else self._programs.compilations

    def compile(self) -> None:
        """Compiles the programs of greedy generation, and copies the parameters to the device.

        Raises:
            InputError: the model has only shapes.
            CompileError: the model has ops that are not supported.
        """
        programs = self.programs()
        for tokens in {self.settings.chunk, 1}:
            programs.step(tokens)
        programs.sampler(is_greedy=True)

    def generate(
        self,
        prompts: Any,
        *,
        max_new_tokens: int,
        temperature: float = 0.0,
        top_k: int | None = None,
        top_p: float | None = None,
        seed: int = 0,
        eos: Any = "model",
        stream: Callable[[Token], None] | None = None,
    ) -> Generation:
        """Generates texts that continue the prompts, all at once.

        Args:
            prompts: a text, a list of texts, or a list of lists of tokens: one for each user, of
                any lengths.
            max_new_tokens: for each user.
            temperature: divides the logits; 0 selects the most likely tokens.
            top_k: the number of most likely tokens that are candidates; None for all.
            top_p: candidates are the most likely tokens whose probabilities reach this sum; None
                for all.
            seed: of the random numbers.
            eos: tokens that end a text, or one, or None; by default those of the model.
            stream: called with each token as soon as it is known.

        Raises:
            InputError: a wrong argument: a prompt that is empty, does not fit into the context with
                its new tokens or has unknown tokens, too many prompts, or a value out of range;
                or the model has only shapes.
            Error: logits are NaN.
        """
        self._begin(prompts, max_new_tokens, temperature, top_k, top_p, seed, eos)
        return self._finish(max_new_tokens, stream)

    def stream(self, prompts: Any, *, max_new_tokens: int, **keywords: Any) -> Iterator[Token]:
        """Yields tokens as soon as they are known; arguments and errors are those of ``generate``.
        ``resume`` continues where the caller stops."""
        chosen = {"temperature": 0.0, "top_k": None, "top_p": None, "seed": 0, "eos": "model"}
        if unknown := keywords.keys() - chosen.keys():
            raise TypeError(f"stream() got an unexpected keyword argument '{min(unknown)}'")
        self._begin(prompts, max_new_tokens, *(chosen | keywords).values())
        return self._tokens(self._current(), max_new_tokens)

    def resume(
        self, *, max_new_tokens: int, stream: Callable[[Token], None] | None = None
    ) -> Generation:
        """Continues the last texts from their caches, with the same settings, after ``generate`` or
        where it or ``stream`` was interrupted.

        Returns:
            All new tokens, including earlier ones.

        Raises:
            InputError: the tokens do not fit into the context.
            Error: there is no generation, or its caches were lost because a program failed.
        """
        count = _requests.count_of(max_new_tokens)
        self._current()
        return self._finish(count, stream)

    def estimate(self, position: int | None = None, prompt: int | None = None) -> Estimate:
        """Models speed and memory from shapes, without a run: see ``Estimate``.

        Args:
            position: that of the token in a decode step, by default the last one of the caches.
                Attention reads the rows up to it.
            prompt: prompt length before the first token, by default ``prefill_chunk``.

        Raises:
            Error: the position or the prompt exceeds the caches; or the backend is ``ttmetal``,
                whose time is only known after a run.
            CompileError: the model has ops that are not supported.
        """
        return Estimator(Exports(self._source), self.settings).estimate(position, prompt)

    # Texts ---------------------------------------------------------------------------------------

    def programs(self) -> Programs:
        """Returns the programs, compiled on first use.

        Raises:
            InputError: the model has only shapes.
        """
        if self._programs is None:
            raise InputError(
                "the model has only shapes, from a configuration: estimate() works; to generate, "
                "load a model with weights or a folder with *.safetensors"
            )
        return self._programs

    def _begin(
        self, prompts: Any, new: Any, temperature: Any, top_k: Any, top_p: Any, seed: Any, eos: Any
    ) -> None:
        sampling = _requests.Sampling(temperature, top_k, top_p, seed)
        count = _requests.count_of(new)
        ends = _requests.ends_of(self._ends() if eos == "model" else eos, self.vocabulary)
        tokens = _requests.tokens_of(
            prompts, self.tokenizer, self.vocabulary, self.settings.shape, count
        )
        programs = self.programs()
        rows = None if self._session is None else self._session.taken_rows()
        self._session = Session(programs, tokens, sampling, ends, rows)

    def _ends(self) -> Any:
        found = getattr(self._source.config, "eos_token_id", None)
        tokens = [] if found is None else found if isinstance(found, list) else [found]
        # Small configurations may have token numbers from a larger vocabulary.
        return [token for token in tokens if 0 <= token < self.vocabulary]

    def _current(self) -> Session:
        if self._session is None:
            raise Error("resume() continues a generation, but there was none: call generate()")
        return self._session

    def _tokens(self, session: Session, count: int) -> Iterator[Token]:
        written = [self._text(text) for text in session.tokens]
        for step in session.run(count):
            for user, token in step:
                text = self._text(session.tokens[user])
                # A character that takes several tokens is complete with the last one.
                new = "" if text.endswith("\ufffd") else text[len(written[user]) :]
                written[user] += new
                yield Token(user, token, new)

    def _text(self, tokens: list[int]) -> str:
        if self.tokenizer is None:
            return ""
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))

    def _finish(self, count: int, stream: Callable[[Token], None] | None) -> Generation:
        session = self._current()
        for token in self._tokens(session, count):
            if stream is not None:
                stream(token)
        tokens = [list(text) for text in session.tokens]
        texts = None if self.tokenizer is None else [self._text(text) for text in tokens]
        return Generation(tokens, texts, self._speed(session))

    def _speed(self, session: Session) -> Speed:
        programs, settings = self.programs(), self.settings
        chooser = programs.sampler(is_greedy=session.sampling.is_greedy).cost
        prefill = programs.step(settings.chunk).cost
        assert chooser is not None
        assert prefill is not None
        chunks = -(-max(map(len, session.prompts)) // settings.chunk)
        decode = programs.step(1).cost if session.seconds else None
        nothing = Cost(0.0, 0, 0)
        step, choice = (decode, chooser) if decode else (nothing, nothing)
        return Speed(
            first_token=chunks * prefill.seconds + chooser.seconds,
            step=step.seconds + choice.seconds,
            users=len(session.prompts),
            host_first_token=session.first_seconds,
            host_step=sum(session.seconds) / max(len(session.seconds), 1),
            bytes_to_device=step.to_device + choice.to_device,
            bytes_to_host=step.to_host + choice.to_host,
        )


# Loading -----------------------------------------------------------------------------------------


def load(
    source: Any,
    *,
    target: str = "n150",
    backend: Any = "ttnn",
    precision: Precision | None = "performance",
    dtype: str | Mapping[str, str] | None = None,
    users: int = 1,
    context: int = 1024,
    prefill_chunk: int = 128,
    page_size: int | None = None,
    pages: int | None = None,
    parallel: Any = None,
    **options: Any,
) -> Model:
    """Loads a language model. Its programs are compiled on first use.

    Args:
        source: a causal language model of transformers; a folder with ``config.json``,
            ``*.safetensors``, which are mapped into memory, and optionally a tokenizer; or, only
            for estimates, a configuration of transformers or the path of a ``config.json``.
        target: the system to compile for, one of ``ttmlir.targets()``.
        backend: ``ttnn`` or ``ttmetal``, as in ``ttmlir.compile``.
        precision: ``accuracy``, ``balanced`` or ``performance``, as in ``ttmlir.compile``; None for
            the dtypes of the model. ``performance`` stores the weights of gate and up projections
            in four bits (``ttnn``). Rotary embedding angles are always in f32.
        dtype: format of weights and activations, or a mapping from name patterns to formats; it
            overrides the precision.
        users: batch size: prompts processed at once.
        context: cache capacity in tokens for each user, including the prompt.
        prefill_chunk: prompt tokens processed at once for each user; must divide the context. With
            1, the decode program processes prompts, so that the device has the weights only in its
            layouts.
        page_size: tokens in a block of paged caches; must divide the context. Users get as many
            blocks as their texts need. None for contiguous caches for the whole context of each
            user.
        pages: number of blocks of paged caches, by default enough for the whole context of all
            users.
        parallel: how to divide the model over the chips of the target, as in ``ttmlir.compile``.
            With more chips than key heads, ``tensor`` uses two mesh axes.
        options: further options of the backend's pipeline.

    Raises:
        InputError: a number is out of range.
        FileError: a file does not exist or is damaged, or a tensor is missing, unknown or has
            another shape.
        Error: an unknown target or precision, or the model has layers that are not supported.
        TypeError: the source is something else.
        ImportError: PyTorch or transformers is not installed.
    """
    for name, value in (("users", users), ("context", context), ("prefill_chunk", prefill_chunk)):
        if not _requests._is_integer(value) or value < 1:
            raise InputError(f"{name}: expected an integer from 1, found {value!r}")
    chunk = min(prefill_chunk, context)
    if context % chunk:
        raise InputError(f"prefill_chunk: expected a divisor of context, {context}, found {chunk}")
    resolve(target, None)
    dtype_of(precision, backend)
    shape = _shape(users, context, chunk, page_size, pages)
    found = source_of(source)
    _check_layers(found.config)
    is_chosen = parallel is None or "mesh_shape" in options
    division = {"parallel": parallel} if is_chosen else division_of(parallel, found.config, target)
    settings = Settings(target, backend, precision, dtype, shape, chunk, division, options)
    return Model(found, settings)


def _shape(users: int, context: int, chunk: int, page_size: int | None, pages: int | None) -> Shape:
    if page_size is None:
        if pages is not None:
            raise InputError("pages: expected page_size as well, found none")
        return Shape(users, context)
    for name, value in (("page_size", page_size), ("pages", 1 if pages is None else pages)):
        if not _requests._is_integer(value) or value < 1:
            raise InputError(f"{name}: expected an integer from 1, found {value!r}")
    if context % page_size:
        raise InputError(f"page_size: expected a divisor of context, {context}, found {page_size}")
    if page_size % chunk and chunk % page_size:
        raise InputError(
            f"page_size: expected a divisor or a multiple of prefill_chunk, {chunk}, found "
            f"{page_size}"
        )
    all_pages = users * (context // page_size)
    return Shape(users, context, page_size, all_pages if pages is None else pages)


def _check_layers(config: Any) -> None:
    kinds = set(getattr(config, "layer_types", None) or ())
    unknown = kinds - {"full_attention", "sliding_attention"}
    if unknown:
        raise Error(
            f"layer_types: expected layers of full_attention or sliding_attention, found "
            f"{', '.join(sorted(unknown))}"
        )
