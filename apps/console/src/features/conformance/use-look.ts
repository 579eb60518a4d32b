import type { Conformance, ConformanceCaller } from '@hub/contract'
import { useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { callersOf, type Pair, pairsOf, states } from './grid.ts'

const keys = ['keyword', 'state', 'clients', 'caller', 'upstream', 'open', 'cell'] as const
type Asked = Partial<Record<(typeof keys)[number], string>>

export type Look = {
  keyword: string
  state: string
  clients: 'first' | 'second'
  callers: ConformanceCaller[]
  caller: ConformanceCaller | undefined
  upstreams: string[]
  upstream: string
  /** The columns in sight. */
  pairs: Pair[]
  /** The feature that is looked at closely, and the column it was opened from. */
  open: string
  cell: string
}

/** What is looked at stands in the address, so that it can be sent to somebody. A narrow screen shows one pair. */
export const useLook = (grid: Conformance, isWide: boolean): [Look, (part: Asked) => void] => {
  const [params, setParams] = useSearchParams()
  // The address follows after a while: what is changed meanwhile is built on what is on its way.
  const latest = useRef({ params, next: params })
  if (latest.current.params !== params) latest.current = { params, next: params }
  const text = (key: keyof Asked) => params.get(key) ?? ''
  const clients = text('clients') === 'second' ? 'second' : 'first'
  const callers = useMemo(() => callersOf(grid, clients), [grid, clients])
  const upstreams = useMemo(() => grid.upstreams.map(({ dialect }) => dialect), [grid])
  const caller = callers.find(({ id }) => id === text('caller')) ?? callers[0]
  // The same dialect on both sides is the dullest pair.
  const first = upstreams.find(each => each !== caller?.dialect) ?? upstreams[0] ?? ''
  const upstream = upstreams.find(each => each === text('upstream')) ?? first
  const pairs = useMemo(() => {
    if (isWide) return pairsOf(callers, upstreams)
    return pairsOf(caller ? [caller] : [], upstream ? [upstream] : [])
  }, [isWide, callers, upstreams, caller, upstream])
  const state = states.find(each => each === text('state')) ?? ''
  const set = (part: Asked) => {
    const next = new URLSearchParams(latest.current.next)
    for (const [key, value] of Object.entries(part))
      if (value) next.set(key, value)
      else next.delete(key)
    latest.current.next = next
    setParams(next, { replace: true, preventScrollReset: true })
  }
  const look = { clients, callers, caller, upstreams, upstream, pairs, state } as const
  return [{ ...look, keyword: text('keyword'), open: text('open'), cell: text('cell') }, set]
}
