import { join } from 'node:path'
import { root } from '../harness/paths.ts'
import type { CellState, Grid } from './grid.ts'
import rules from './model-rules.json' with { type: 'json' }
import { type Dialect, dialects } from './neutral.ts'

export const documentFile = join(root, 'docs/conformance.md')
export const gridFile = join(root, 'apps/server/src/features/conformance/grid.json')

const head = (grid: Grid) => `# Conformance

Written by \`npm run conformance\`; \`npm run test:all\` runs the same cells and fails if this page differs. In each cell, an official
client of one dialect uses one feature through the running gateway, and a vendor of another dialect answers, whole and
streamed. The vendor's request, the client's result and the log row are compared.

| Cell | Meaning |
|---|---|
| ✓ | everything arrives |
| ✓ with a number | everything arrives, encoded in another way; the number links the reason and the vendor's document |
| **note** | the dialect cannot express it; the log row of the call has a warning |
| **refused** | the gateway answers with an error that explains it |

${grid.features.length} features, ${sum(grid)} cells: ${grid.counts.ok} arrive, ${grid.counts.note} have a warning, ${grid.counts.refused} are refused.
`

const sum = ({ counts: { ok, note, refused } }: Grid) => ok + note + refused

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Reasons by number, in the order in which they come. */
const reasons = () => {
  const known = new Map<string, number>()
  return {
    numberOf: ({ why, source }: CellState): string => {
      if (why === undefined) return ''
      // A document of this repository is linked relative to the page's folder.
      const link = source?.startsWith('https://') ? source : `../${source}`
      const text = `${why} [Document](${link})`
      if (!known.has(text)) known.set(text, known.size + 1)
      return ` [${known.get(text)}](#reasons)`
    },
    list: () => [...known].map(([text, at]) => `${at}. ${text}`),
  }
}

const words: Readonly<Record<CellState['state'], string>> = {
  ok: '✓',
  note: '**note**',
  refused: '**refused**',
}

type Reasons = ReturnType<typeof reasons>

/** One table for each caller's dialect: rows are features, columns upstreams. */
const tableOf = (grid: Grid, caller: string, { numberOf }: Reasons): string[] => {
  const upstreams = grid.upstreams.map(({ dialect }) => dialect)
  const rows = grid.features.map(({ title, cells }) => {
    const states = upstreams.map(upstream => {
      const cell = cells[`${caller}>${upstream}`]
      return cell ? `${words[cell.state]}${numberOf(cell)}` : ''
    })
    return line([title, ...states])
  })
  return [line(['Feature', ...upstreams]), `|${'---|'.repeat(upstreams.length + 1)}`, ...rows, '']
}

/** Second clients ask what they have words for; the same vendors answer. */
const secondOf = (grid: Grid): string[] =>
  grid.callers
    .filter(({ id }) => !isFirst(id))
    .map(({ id, client, dialect }) => {
      const upstreamRequest = grid.features.filter(each => Object.keys(each.cells).some(isOf(id)))
      const count = upstreamRequest.flatMap(each => Object.keys(each.cells).filter(isOf(id))).length
      const names = upstreamRequest.map(each => each.name).join(', ')
      return line([`\`${client}\` (${formatOf(id, dialect)})`, String(count), names])
    })

const formatOf = (id: string, dialect: Dialect): string =>
  id.endsWith('-socket') ? `${dialect}, over a WebSocket` : dialect

const isFirst = (id: string): boolean => dialects.includes(id as Dialect)
const isOf = (id: string) => (cell: string) => cell.startsWith(`${id}>`)

/** The share of questions that each model's vendor accepts, as `apps/server/test/model-rules` counts them. */
const rulesOf = ({ questions, accepted }: typeof rules): string[] => [
  '## Rules of models\n',
  `Of ${questions} kinds of questions (thinking on and off, forced tools, long ids, a last message of the model, images …), the number`,
  'that the vendor of the model accepts, by the caller’s dialect. A caller in the vendor’s own dialect is answered by the vendor',
  'itself. From other dialects only what the [documents of the vendor](model-rules.md) forbid is refused, before the vendor is asked.\n',
  line(['Model', ...dialects]),
  `|${'---|'.repeat(dialects.length + 1)}`,
  ...Object.entries(accepted).map(([model, counts]) =>
    line([`\`${model}\``, ...dialects.map(each => String(counts[each]))]),
  ),
  '',
]

export const documentOf = (grid: Grid, shares: typeof rules = rules): string => {
  const numbered = reasons()
  const tables = grid.callers
    .filter(({ id }) => isFirst(id))
    .flatMap(({ id, client }) => [`## ${id}, by \`${client}\`\n`, ...tableOf(grid, id, numbered)])
  const versions = Object.entries(grid.versions).map(([name, version]) => `\`${name}\` ${version}`)
  return [
    head(grid),
    ...tables,
    '## Second clients\n',
    line(['Client', 'Cells', 'Features']),
    '|---|---|---|',
    ...secondOf(grid),
    '',
    ...rulesOf(shares),
    '## Reasons\n',
    ...numbered.list(),
    '\n## Clients\n',
    `${versions.join(', ')}.`,
    '',
  ].join('\n')
}
