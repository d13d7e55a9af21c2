"""Box-drawing characters by the weight of their four arms."""

NONE, LIGHT, HEAVY, DOUBLE = range(4)

# Up, right, down, left: the number that the weights make in base three.
_MIXED = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋"
# The same for double arms, in base two.
_DOUBLE = " ═║╗══╔╦║╝║╣╚╩╠╬"


def crossing(up: int, right: int, down: int, left: int) -> str:
    """The character in which these arms meet. Double ones go with no others, so that these give way."""
    if DOUBLE in (up, right, down, left):
        number = 0
        for arm in (up, right, down, left):
            number = 2 * number + (arm == DOUBLE)
        return _DOUBLE[number]
    return _MIXED[((up * 3 + right) * 3 + down) * 3 + left]
