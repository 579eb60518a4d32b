"""Makes apps/console/public/fonts/inter-4.1-latin.woff2; apps/console/src/domain/marks/README.md says how to run this."""

import sys

from fontTools import subset
from fontTools.varLib import instancer

SOURCE, TARGET = sys.argv[1:3]

wanted = [
    *range(0x20, 0x7F),  # ASCII
    *range(0xA0, 0x100),  # Western European letters
    *map(ord, "Œœı€™–—‘’“”•…′″−↑↓"),
]

options = subset.Options()
options.layout_features = ["kern", "tnum"]
options.hinting = False
options.name_IDs = [0, 1, 2, 4, 5, 6, 13, 14]
options.recalc_timestamp = False

font = subset.load_font(SOURCE, options)
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=wanted)
subsetter.subset(font)
# Only digits stand in columns. Hyphens and points as wide as digits would tear names apart.
digits = {font.getBestCmap()[code] for code in range(0x30, 0x3A)}
for lookup in font["GSUB"].table.LookupList.Lookup:
    for table in lookup.SubTable:
        table.mapping = {name: other for name, other in table.mapping.items() if name in digits}
# The console uses the weights 400, 500 and 600 only.
font = instancer.instantiateVariableFont(font, {"wght": (400, 400, 600)})
font.flavor = "woff2"
font.save(TARGET)
