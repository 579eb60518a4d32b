import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../harness/paths.ts'
import type { Exception } from './cell.ts'
import type { Dialect } from './neutral.ts'
import type { Cell } from './run.ts'

/** `why` and `source` are set where something is lost or encoded in another way. */
export type CellState = { state: 'ok' | 'note' | 'refused'; why?: string; source?: string }

/** The results of a run, as the server shows them. A cell's name is `caller>upstream`. */
export type Grid = {
  /** When, ISO. */
  at: string
  /** Versions of the client packages. */
  versions: Record<string, string>
  callers: { id: string; client: string; dialect: Dialect }[]
  upstreams: { dialect: Dialect }[]
  features: { name: string; title: string; group: string; cells: Record<string, CellState> }[]
  counts: Record<CellState['state'], number>
}

const clients = [
  ...['openai', '@anthropic-ai/sdk', '@google/genai', 'ai'],
  ...['@ai-sdk/openai', '@ai-sdk/anthropic', '@ai-sdk/google'],
]

const versionOf = (name: string): string => {
  const file = join(root, 'node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

export const makeGrid = (cells: readonly Cell[], at: Date): Grid => {
  const callers = unique(
    cells.map(({ caller: { id, client, dialect } }) => ({ id, client, dialect })),
  )
  const upstreams = unique(cells.map(({ vendor: { dialect } }) => ({ dialect })))
  const features = unique(
    cells.map(({ feature: { name, title, group } }) => ({ name, title, group })),
  ).map(feature => ({ ...feature, cells: cellsOf(feature.name, cells) }))
  const states = features.flatMap(each => Object.values(each.cells).map(({ state }) => state))
  const count = (state: CellState['state']) => states.filter(each => each === state).length
  return {
    at: at.toISOString(),
    versions: Object.fromEntries(clients.map(name => [name, versionOf(name)])),
    ...{ callers, upstreams, features },
    counts: { ok: count('ok'), note: count('note'), refused: count('refused') },
  }
}

const cellsOf = (name: string, cells: readonly Cell[]): Record<string, CellState> =>
  Object.fromEntries(
    cells
      .filter(({ feature }) => feature.name === name)
      .map(cell => [`${cell.caller.id}>${cell.vendor.dialect}`, stateOf(cell)]),
  )

const ranks: readonly Exception['how'][] = ['refused', 'note', 'otherwise']

/** The gravest of what differs, in the mode where most does. */
const stateOf = ({ runs }: Cell): CellState => {
  const applied = runs
    .flatMap(({ expected }) => expected.applied)
    .toSorted((one, other) => ranks.indexOf(one.how) - ranks.indexOf(other.how))
  const [gravest] = applied
  if (!gravest) return { state: 'ok' }
  const { how, why, source } = gravest
  return { state: how === 'otherwise' ? 'ok' : how, why, source }
}

const unique = <T extends object>(list: readonly T[]): T[] => [
  ...new Map(list.map(each => [JSON.stringify(each), each])).values(),
]
