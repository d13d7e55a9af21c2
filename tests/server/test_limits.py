"""Who asks for much waits for himself."""

import asyncio

from metatac.server.limits import Turns


def test_one_has_one_at_a_time_and_all_together_a_few() -> None:
    async def scenario() -> None:
        turns = Turns(together=2, waiting=1)
        assert await turns.take("greedy")
        second = asyncio.create_task(turns.take("greedy"))
        await asyncio.sleep(0)
        assert not await turns.take("greedy")  # one works, one waits: that is enough
        assert await turns.take("modest")  # at once
        third = asyncio.create_task(turns.take("shy"))
        await asyncio.sleep(0)
        assert not second.done() and not third.done()
        turns.give_back("modest")
        assert await third
        third = asyncio.create_task(turns.take("late"))
        await asyncio.sleep(0)
        third.cancel()  # who goes away leaves nothing behind
        await asyncio.gather(third, return_exceptions=True)
        turns.give_back("shy")
        turns.give_back("greedy")
        assert await second
        turns.give_back("greedy")
        assert await turns.take("late")

    asyncio.run(scenario())
