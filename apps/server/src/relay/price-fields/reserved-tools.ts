import type { ParameterRule } from '@hub/contract'
import { type ParsedRequest, readToolCalls, type ToolCalls, toolCallsIn } from '@hub/dialects'
import { bothTools } from '../../billing/prices/held-tools.ts'
import type { Channel } from '../channels/channel.ts'
import type { Candidates } from '../routing/pick.ts'

type DeclaringRequest = Pick<ParsedRequest, 'body' | 'fieldRanges' | 'hasVendorTools' | 'model'>

/**
 * The calls of tools that vendors sell, for the hold of a request: those that its caller declares, and those that the
 * channels add. A request without any costs two look-ups.
 */
export const reservedTools = (
  parsed: DeclaringRequest,
  candidates: Candidates,
): ToolCalls | undefined => {
  const added = toolsOfCandidates(candidates)
  const own = parsed.hasVendorTools === true ? readToolCalls(parsed, parsed.model) : undefined
  return bothTools(own, added)
}

const byCandidates = new WeakMap<Candidates, { tools: ToolCalls | undefined }>()

/** Operators may add tools to every request of a channel, or of one of its models. */
const toolsOfCandidates = (candidates: Candidates): ToolCalls | undefined => {
  let known = byCandidates.get(candidates)
  if (!known) {
    const channels = candidates.tiers.flatMap(each => each.channels)
    known = { tools: channels.map(toolsOfChannel).reduce(bothTools, undefined) }
    byCandidates.set(candidates, known)
  }
  return known.tools
}

const toolsOfChannel = ({ customParameter, parameterRules = [] }: Channel): ToolCalls | undefined =>
  bothTools(toolCallsIn(customParameter), toolsOfRules(parameterRules))

/** The tools that rules of an operator may add to a request, whatever their conditions. */
export const toolsOfRules = (rules: readonly ParameterRule[]): ToolCalls | undefined =>
  toolCallsIn(rules.flatMap(each => [each.set, each.default]))
