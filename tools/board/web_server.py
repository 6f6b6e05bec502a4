"""The web server: uvicorn, which looks for its end less often."""

import asyncio

import uvicorn

LOOK_EVERY_S = 0.5


class WebServer(uvicorn.Server):
    """uvicorn looks ten times a second, for which an idle board needed a quarter of a percent of a core."""

    async def main_loop(self) -> None:
        """Return when the server should end."""
        # At tick 0 it also brings the date of its answers up to date.
        while not await self.on_tick(0):
            await asyncio.sleep(LOOK_EVERY_S)
