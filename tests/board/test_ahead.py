"""Moves that are chosen before they are played: while others think, or to be confirmed; and the pages of spectators."""

from tests.helpers.board import Page, Server, broken, own_pieces

ENGINES = (broken("script"),)
TWO = {"S": "me", "N": "guest"}


def test_moves_ahead_follow_from_what_the_seat_sees(board: Server) -> None:
    with Page(board) as host:
        opened = host.new_game(TWO, variant="luzhanqi", visibility="dark")
        with Page(board, token=opened["invitations"][0]["token"]) as guest:
            guest.ready()
            state = host.start()
            assert state["targets"] and not state["premoves"]
            waiting = guest.state(lambda state: state["phase"] == "playing")
            assert not waiting["targets"] and own_pieces(waiting) == {"N"}
            own = {str(point) for point, _, seat, _ in waiting["pieces"] if seat == "N"}
            assert waiting["premoves"] and set(waiting["premoves"]) <= own
            # A guess that is sent too early is refused and kept nowhere.
            move = next(iter(next(iter(waiting["premoves"].values())).values()))
            assert guest.ask("move", ply=0, move=move)["code"] == "not-your-turn"
            host.move(state)
            assert guest.my_turn()["moves"] == [next(iter(next(iter(state["targets"].values())).values()))]
