import type { ConsoleResult, PageTime } from './measure.ts'
import type { ScrollResult } from './scroll.ts'

const firstRowMsMax = 1000
const framesMin = 60
/** A frame or two of a hundred are lost to the machine's other work, and by rounding at both ends. */
const frameTolerance = 0.97

/** The page without content is first: no page can have more frames than it. */
const framesNeeded = ([empty]: readonly ScrollResult[]): number =>
  frameTolerance * Math.min(framesMin, empty?.framesPerSecond ?? framesMin)

const nameOf = ({ path, by }: PageTime): string =>
  by === 'busy' ? `\`${path}\` of the busy user` : `\`${path}\``

export const consoleProblems = ({ pages, scrolls }: ConsoleResult): string[] => [
  ...pages
    .filter(each => each.medianMs > firstRowMsMax)
    .map(each =>
      each.medianMs === Number.POSITIVE_INFINITY
        ? `${nameOf(each)} showed no data`
        : `${nameOf(each)} shows its first rows after ${each.medianMs.toFixed(0)} ms`,
    ),
  ...scrolls
    .slice(1)
    .filter(each => each.framesPerSecond < framesNeeded(scrolls))
    .map(each => `${each.name} scrolls at ${each.framesPerSecond.toFixed(1)} frames a second`),
]

const table = (head: string, rows: readonly string[]): string => {
  const columns = head.split('|').length - 2
  return [head, `|${'---|'.repeat(columns)}`, ...rows].join('\n')
}

export const consoleSection = ({ rounds, pages, scrolls }: ConsoleResult): string => {
  const pageRows = pages.map(
    each =>
      `| ${nameOf(each)} | ${each.rows} | ${each.medianMs.toFixed(0)} | ${each.slowestMs.toFixed(0)} |`,
  )
  const scrollRows = scrolls.map(
    ({ name, rows, framesPerSecond, lateShare, slowestFrameMs }) =>
      `| ${name} | ${rows} | ${framesPerSecond.toFixed(1)} | ${(100 * lateShare).toFixed(1)} % | ${slowestFrameMs.toFixed(0)} |`,
  )
  return [
    `The console in Chromium, with a warm cache: the time from the navigation until the first row is painted, or until an\nempty list says so, and on the operations home the tiles. Median and slowest of ${rounds} visits.`,
    table('| Page | Rows | Median, ms | Slowest, ms |', pageRows),
    'Scrolled by gestures of the wheel, 4,000 pixels down and up at 2,000 pixels a second: animation frames of the page,\nand the share of those that came more than 33 ms after the one before.',
    table('| Page | Rows | Frames a second | Late | Slowest frame, ms |', scrollRows),
  ].join('\n\n')
}
