"""Runs coroutines of tests in another thread: the browser's tests leave an event loop in the main thread."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.helpers.engine import DEADLINE_S


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Return the result of a coroutine, like `asyncio.run`. A coroutine that hangs is cancelled: TimeoutError."""

    async def run_limited() -> Any:
        async with asyncio.timeout(DEADLINE_S):
            return await coroutine

    return beside_the_loop(asyncio.run, run_limited())


def beside_the_loop(function: Callable[..., Any], *arguments: Any) -> Any:
    """Return the result of a function that runs its own event loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result()
