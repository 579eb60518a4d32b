import type { Conformance, ConformanceCaller } from '@hub/contract'
import { useMemo } from 'react'
import { useAddress } from '../../ui/index.ts'
import { callersOf, type FormatPair, pairsOf, resultStates } from './grid.ts'

const keys = ['keyword', 'state', 'clients', 'caller', 'upstream', 'open', 'cell'] as const
type GridViewParams = Partial<Record<(typeof keys)[number], string>>

export type GridView = {
  keyword: string
  state: string
  clients: 'first' | 'second'
  callers: ConformanceCaller[]
  caller: ConformanceCaller | undefined
  upstreams: string[]
  upstream: string
  /** The key of the pair that the address names. */
  chosen: string | undefined
  /** The visible columns. */
  pairs: FormatPair[]
  /** The opened feature, and the key of the cell from which it was opened. */
  open: string
  cell: string
}

/** Keeps the view in the address, so that it can be shared as a link. A narrow screen shows one pair. */
export const useGridView = (
  grid: Conformance,
  isWide: boolean,
): [GridView, (part: GridViewParams) => void] => {
  const [params, change] = useAddress()
  const text = (key: keyof GridViewParams) => params.get(key) ?? ''
  const clients = text('clients') === 'second' ? 'second' : 'first'
  const callers = useMemo(() => callersOf(grid, clients), [grid, clients])
  const upstreams = useMemo(() => grid.upstreams.map(({ dialect }) => dialect), [grid])
  const caller = callers.find(({ id }) => id === text('caller')) ?? callers[0]
  // By default the two sides have different dialects, because equal ones show little.
  const first = upstreams.find(each => each !== caller?.dialect) ?? upstreams[0] ?? ''
  const upstream = upstreams.find(each => each === text('upstream')) ?? first
  const isChosen = params.has('caller') && params.has('upstream')
  const pairs = useMemo(() => {
    if (isWide && !isChosen) return pairsOf(callers, upstreams)
    return pairsOf(caller ? [caller] : [], upstream ? [upstream] : [])
  }, [isWide, isChosen, callers, upstreams, caller, upstream])
  const state = resultStates.find(each => each === text('state')) ?? ''
  const set = (part: GridViewParams) => change(part, { replace: true })
  const chosen = isChosen ? pairs[0]?.key : undefined
  const view = { clients, callers, caller, upstreams, upstream, chosen, pairs, state } as const
  return [{ ...view, keyword: text('keyword'), open: text('open'), cell: text('cell') }, set]
}
