"""The possible kinds of each hidden piece, by trying every assignment: the slow twin of the exact deduction."""

Battle = tuple[int, int, set[tuple[str, str]]]


def possible_kinds(
    masks: list[set[str]],
    counts: dict[str, int] | list[dict[str, int]],
    battles: list[Battle],
    groups: list[list[int]] | None = None,
) -> list[set[str]] | None:
    """The kinds that each piece has in at least one possible assignment; None when there is none.

    An assignment gives every piece a kind of its mask, uses each kind exactly as often as `counts` says, and
    for each battle (i, j, allowed) the kinds of pieces i and j are one of the allowed pairs. With `groups`,
    lists of piece numbers in which every piece is once, `counts` is a list with the counts of each group.
    """
    if groups is None:
        groups = [list(range(len(masks)))]
        counts = [counts] if isinstance(counts, dict) else counts
    if isinstance(counts, dict) or len(counts) != len(groups):
        raise ValueError("there must be counts for each group")
    if sorted(piece for group in groups for piece in group) != list(range(len(masks))):
        raise ValueError("every piece must be in one group")
    if any(sum(of_group.values()) != len(group) for of_group, group in zip(counts, groups, strict=True)):
        return None
    group_of = {piece: number for number, group in enumerate(groups) for piece in group}

    possible: list[set[str]] = [set() for _ in masks]
    left = [dict(of_group) for of_group in counts]
    for piece, mask in enumerate(masks):
        for kind in mask:
            asked = [*masks[:piece], {kind}, *masks[piece + 1 :]]
            if has_assignment(asked, left, battles, group_of, []):
                possible[piece].add(kind)
    if masks and not possible[0]:
        return None
    return possible


def has_assignment(
    masks: list[set[str]],
    left: list[dict[str, int]],
    battles: list[Battle],
    group_of: dict[int, int],
    kinds: list[str],
) -> bool:
    """True if the kinds given to the first pieces can be completed; `left` counts the kinds not yet given."""
    piece = len(kinds)
    if piece == len(masks):
        return True
    of_group = left[group_of[piece]]
    for kind in sorted(masks[piece]):
        if of_group.get(kind, 0) == 0 or not battles_hold(battles, [*kinds, kind]):
            continue
        of_group[kind] -= 1
        found = has_assignment(masks, left, battles, group_of, [*kinds, kind])
        of_group[kind] += 1
        if found:
            return True
    return False


def battles_hold(battles: list[Battle], kinds: list[str]) -> bool:
    """True if no battle between pieces that have a kind already is broken."""
    return all(
        (kinds[first], kinds[second]) in allowed
        for first, second, allowed in battles
        if first < len(kinds) and second < len(kinds)
    )
