"""`ttrt explore`: serves a page to change layouts and see the effect."""

from __future__ import annotations

import webbrowser

from ttrt.common.command import Command
from ttrt.common.errors import TTRTError


class Explore(Command):
    """Serves until it is interrupted; writes nothing."""

    name = "explore"
    help = "serve a page to change layouts, recompile and compare"

    def execute(self) -> None:
        from ttmlir import Error
        from ttmlir.explorer import serve

        try:
            server = serve(
                self["model"],
                backend=self["backend"],
                target=self["target"] or "n150",
                seed=self["seed"],
                port=self["port"],
                time_limit=self["time-limit"],
            )
        except Error as error:
            raise TTRTError(str(error)) from None
        with server:
            self.logger.output(f"{server.url}\nOnly this machine can open the page; Ctrl-C ends.")
            if self["open"]:
                webbrowser.open(server.url)
            try:
                server.wait()
            except KeyboardInterrupt:
                self.logger.info("ended")

    def postprocess(self) -> None:
        """Writes no report."""
