"""Advance widths and ink boxes of three sans-serif faces, for the letters of the circled words.

Measured from the faces themselves: Liberation Sans (the widths of Helvetica and Arial), Open Sans, DejaVu Sans;
all regular.
"""

from afterimage.seeing.letters import Face, Glyph

# Per letter and face, thousandths of the em: how far the glyph advances, then where its ink begins and ends to the
# right of the origin, and to which depth and height it reaches from the base line.
_METRICS = """
  | liberation_sans     | open_sans           | dejavu_sans
A | 667  2 665    0 688 | 633  0 633    0 717 | 684  8 676    0 729
H | 722 82 641    0 688 | 738 98 640    0 714 | 752 98 654    0 729
K | 667 82 656    0 688 | 614 98 614    0 714 | 656 98 677    0 729
M | 833 82 751    0 688 | 903 98 805    0 714 | 863 98 765    0 729
N | 722 82 641    0 688 | 754 98 656    0 714 | 748 98 650    0 729
O | 778 47 730  -10 698 | 779 61 718  -10 725 | 787 56 731  -14 742
R | 722 82 676    0 688 | 618 98 601    0 714 | 695 98 666    0 729
S | 667 45 621  -10 698 | 549 52 501  -10 724 | 635 66 579  -14 742
U | 722 77 645  -10 688 | 728 91 637  -10 714 | 732 87 645  -14 729
W | 944  4 940    0 688 | 926 13 912    0 714 | 989 33 956    0 729
X | 667 22 646    0 688 | 577  4 573    0 714 | 685 30 654    0 729
Z | 611 32 580    0 688 | 571 40 531    0 714 | 685 45 640    0 729
a | 556 42 556  -10 538 | 556 46 475  -10 544 | 613 60 522  -14 560
b | 556 64 514  -10 725 | 613 86 557  -10 760 | 635 91 580  -14 760
c | 500 42 474  -10 538 | 476 56 443  -10 545 | 550 55 488  -14 560
d | 556 42 492  -10 725 | 613 56 527  -10 760 | 635 55 544  -14 760
e | 556 42 512  -10 538 | 561 56 509  -10 545 | 615 55 562  -14 560
g | 556 42 492 -208 537 | 548 19 524 -240 545 | 635 55 544 -208 560
h | 556 69 491    0 725 | 614 86 533    0 760 | 634 91 549    0 760
i | 222 67 155    0 725 | 253 79 175    0 734 | 278 94 184    0 760
k | 500 67 501    0 725 | 525 86 514    0 760 | 579 91 576    0 760
l | 222 67 155    0 725 | 253 86 167    0 760 | 278 94 184    0 760
m | 833 66 767    0 538 | 930 86 849    0 545 | 974 91 889    0 560
n | 556 66 491    0 538 | 614 86 533    0 545 | 634 91 549    0 560
o | 556 42 514  -10 538 | 604 56 548  -10 545 | 612 55 557  -14 560
p | 556 64 514 -208 538 | 613 86 557 -240 545 | 635 91 580 -208 560
q | 556 42 492 -208 538 | 613 56 527 -240 545 | 635 55 544 -208 560
r | 333 66 316    0 538 | 408 86 394    0 545 | 411 91 411    0 560
t | 278 15 271   -8 646 | 353 15 332  -10 659 | 392 27 368    0 702
u | 556 65 490  -10 528 | 614 80 528  -10 535 | 634 85 543  -14 560
v | 500  3 497    0 528 | 501  0 501    0 535 | 592 30 562    0 547
w | 722 -1 725    0 528 | 778 11 767    0 535 | 818 42 776    0 547
y | 500  2 498 -208 528 | 504  1 503 -240 535 | 592 30 562 -208 547
"""


def _faces() -> dict[str, Face]:
    (_, *names), *rows = (
        [cell.strip() for cell in line.split("|")] for line in _METRICS.strip("\n").split("\n")
    )
    return {
        name: {letter: Glyph(*map(int, cells[index].split())) for letter, *cells in rows}
        for index, name in enumerate(names)
    }


#: Faces by name, glyphs by letter.
FACES = _faces()
