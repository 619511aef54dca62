"""Takes screenshots of pages for the book, from new runs, in the system's Chromium.

python tools/docs/screenshots.py docs/src/pictures

Needs a browser and the dependency group `browser`. The pixels depend on the fonts of the machine,
so no test compares them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ttmlir
from ttmlir import ir
from ttmlir.pages import TensorLayout, save_layout_page

WIDTH, HEIGHT = 1180, 760


def block() -> ttmlir.Executable:
    """Builds a norm and an MLP with gelu."""
    b = ttmlir.Builder("block")
    x = b.input("x", (128, 512), "bf16")
    up, down = b.input("up", (512, 1024), "bf16"), b.input("down", (1024, 512), "bf16")
    weight, bias = b.input("weight", (512,), "bf16"), b.input("bias", (512,), "bf16")
    h = b.layer_norm(x, weight, bias, name="norm")
    h = b.gelu(b.matmul(h, up, name="up"), name="gelu")
    b.output(b.add(x, b.matmul(h, down, name="down"), name="residual"))
    return ttmlir.compile(b, backend="ttmetal")


def report_page(page: Any, folder: Path) -> None:
    block().report(trace=True).save(folder / "page.html")
    page.goto((folder / "page.html").as_uri())
    page.locator("#ops tbody tr", has_text="up").last.click()


def _part(title: str) -> Callable[[Any, Path], Any]:
    def part(page: Any, folder: Path) -> Any:
        report_page(page, folder)
        return page.locator("section", has=page.get_by_role("heading", name=title)).last

    return part


def layout_page(page: Any, folder: Path) -> None:
    layout = TensorLayout((2, 3, 60, 120), "bf16", grid=(2, 4))
    save_layout_page(layout, folder / "page.html")
    page.goto((folder / "page.html").as_uri())
    page.get_by_label("Index").fill("1, 1, 6, 100")
    page.keyboard.press("Enter")


def explorer_page(page: Any, folder: Path) -> None:
    """Shows an attention with its scores on one core, compared with the compiler's choice."""
    b = ttmlir.Builder("attention")
    x = b.input("x", (128, 256), "bf16")
    query, key, value = (
        b.matmul(x, b.input(name, (256, 256), "bf16"), name=f"attention/{name}")
        for name in ("query", "key", "value")
    )
    scores = b.matmul(query, key, transpose_b=True, name="attention/scores")
    mix = b.matmul(b.softmax(scores, 1, name="attention/weights"), value, name="attention/mix")
    b.output(b.add(mix, x, name="residual"))
    # Hide source locations, which depend on the path of the checkout.
    text = str(b.module.operation.get_asm(enable_debug_info=True))
    module = ir.Module.parse(text.replace(__file__, "attention.py"), ir.Context())
    server = ttmlir.explorer.serve(module)
    page.on("close", lambda _: server.close())
    page.goto(server.url)
    page.wait_for_selector("#history tr.done")
    page.click('#graph .node[data-name="attention/scores"]')
    page.fill("#settings [name=grid]", "1x1")
    page.select_option("#settings [name=memory]", "l1")
    page.check("#each-op")
    page.click("#run")
    page.wait_for_selector('#history tr[data-id="1"].done')
    page.wait_for_selector('#ops tr[data-name="attention/scores"] td:text("1x1:l1")')
    page.set_viewport_size({"width": WIDTH, "height": 1180})


def plan_page(page: Any, folder: Path) -> None:
    """Shows what Llama 3.1 70B costs, from its shapes."""
    import transformers

    from ttmlir import llm

    config = transformers.LlamaConfig(
        hidden_size=8192,
        intermediate_size=28672,
        num_hidden_layers=80,
        num_attention_heads=64,
        num_key_value_heads=8,
        vocab_size=128256,
        rope_theta=500000.0,
        dtype="bfloat16",
    )
    targets = ["n150", "n300", "t3000"]
    found = llm.plan(config, targets=targets, precisions=["performance"], changes=0)
    found.save(folder / "plan.html")
    page.set_viewport_size({"width": 1860, "height": 300})
    page.goto((folder / "plan.html").as_uri())


#: The screenshots: a part of the page, or the window.
SCREENSHOTS: dict[str, Callable[[Any, Path], Any]] = {
    "report.png": report_page,
    "report_heat.png": _part("Cores, networks and DRAM channels"),
    "report_memory.png": _part("Memory over time"),
    "layout.png": layout_page,
    "explorer.png": explorer_page,
    "plan.png": plan_page,
}


def main() -> int:
    folder = Path(sys.argv[1])
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        print("error: expected a browser: install the system's package chromium", file=sys.stderr)
        return 1
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        print("error: expected playwright: make .venv/.group-browser", file=sys.stderr)
        return 1
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as scratch:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, prepare in SCREENSHOTS.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            part = prepare(page, Path(scratch)) or page
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(200)
            part.screenshot(path=folder / name)
            page.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
