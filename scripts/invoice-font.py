"""Makes apps/server/assets/fonts/NotoSansCJK-subset.otf; its README says how to run this."""

import sys

from fontTools import subset

SOURCE, TARGET = sys.argv[1:3]
SIMPLIFIED_CHINESE = 2  # the face of that name in the collection


def characters(codec, rows, cells):
    """The characters of a national standard: every pair of bytes that its codec accepts."""
    found = set()
    for row in rows:
        for cell in cells:
            try:
                text = bytes([row, cell]).decode(codec)
            except UnicodeDecodeError:
                continue
            if len(text) == 1:
                found.add(ord(text))
    return found


grid = range(0xA1, 0xFF)
big5_cells = [*range(0x40, 0x7F), *grid]
wanted = set().union(
    characters("gb2312", grid, grid),
    characters("big5", range(0xA1, 0xFA), big5_cells),
    characters("euc_jp", range(0xA1, 0xF5), grid),
    characters("cp932", [0x87, 0xED, 0xEE, 0xFA, 0xFB, 0xFC], range(0x40, 0xFD)),  # Japanese names
    range(0x20, 0x7F),  # ASCII
    range(0xA0, 0x180),  # Latin letters with marks
    map(ord, "€…–—‘’“”•·〓￥"),
    map(ord, "鰂喺冇咗嚟啲嘢噉佢哋邨喆堃淼玥祎镕珺甯翀昇"),  # frequent in names and Cantonese, absent from the standards
)

options = subset.Options()
options.font_number = SIMPLIFIED_CHINESE
options.layout_features = []
options.hinting = False
options.name_IDs = [0, 1, 2, 4, 5, 6, 13, 14]
options.drop_tables += ["vhea", "vmtx", "VORG", "GPOS", "GSUB", "BASE"]
options.recalc_timestamp = False

font = subset.load_font(SOURCE, options)
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=wanted)
subsetter.subset(font)
subset.save_font(font, TARGET, options)
