import type { ToolCalls } from '@hub/dialects'
import { formatDecimal, multiply } from '../../lib/decimal.ts'
import { type Terms, toDecimal, toolPriceOf } from './terms.ts'

/** The most points that calls of tools cost: those that are dearest, up to the limit of all together. Rounded up. */
export const pointsOfTools = (
  { tools, group_ratio }: Pick<Terms, 'tools' | 'group_ratio'>,
  { calls, callsMax = Number.POSITIVE_INFINITY }: ToolCalls,
): number => {
  const group = toDecimal(group_ratio)
  const priced = Object.entries(calls).map(([kind, most]) => {
    const price = multiply(toDecimal(toolPriceOf(tools, kind) ?? '0'), group)
    return { most, points: Number(formatDecimal(price)) }
  })
  let left = callsMax
  let sum = 0
  for (const { most, points } of priced.toSorted((one, other) => other.points - one.points)) {
    const taken = Math.min(most, left)
    left -= taken
    sum += taken * points
  }
  return Math.min(Math.ceil(sum), Number.MAX_SAFE_INTEGER)
}

/** Leaves out the kinds whose number nothing bounds; undefined where no kind remains. */
export const boundedTools = (tools: ToolCalls | undefined): ToolCalls | undefined => {
  if (!tools || tools.unbounded.length === 0) return tools
  const bounded = Object.entries(tools.calls).filter(([kind]) => !tools.unbounded.includes(kind))
  if (bounded.length === 0) return undefined
  return { ...tools, calls: Object.fromEntries(bounded), unbounded: [] }
}

/** Covers the tools of either, for a call that both may serve. */
export const bothTools = (
  one: ToolCalls | undefined,
  other: ToolCalls | undefined,
): ToolCalls | undefined => {
  if (!one || !other) return one ?? other
  const calls: Record<string, number> = { ...one.calls }
  for (const [kind, most] of Object.entries(other.calls))
    calls[kind] = Math.max(calls[kind] ?? 0, most)
  const callsMax =
    one.callsMax === undefined || other.callsMax === undefined
      ? undefined
      : Math.max(one.callsMax, other.callsMax)
  return { calls, unbounded: [...new Set([...one.unbounded, ...other.unbounded])], callsMax }
}
