import { type ParsedRequest, type ReasoningRequest, readReasoningRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { type Lru, makeLru } from '../../lib/lru.ts'

/** Calls of a model that its median covers. */
const recentMax = 15
const modelsMax = 2_000
/** The estimate for a request that asks for reasoning while no call of its model was observed yet. */
const unknownTokens = 1_024

type History = Record<Exclude<ReasoningRequest, 'off'>, Lru<string, number[]>>

/** The hidden reasoning tokens of recent streams by billed model, for requests that ask for reasoning and others. */
const histories = appScoped((): History => ({ on: makeLru(modelsMax), unset: makeLru(modelsMax) }))

type ReportedOutput = { reasoning: number; total: number }

/** Records the output tokens of a complete stream that the caller was charged for and could not see. */
export const recordHiddenReasoning = (
  app: App,
  parsed: ParsedRequest,
  model: string,
  { reported, metered }: { reported: ReportedOutput; metered: number },
): void => {
  const request = readReasoningRequest(parsed)
  if (request === 'off') return
  const hidden = Math.max(0, reported.total - metered)
  // Some vendors count reasoning as output only; without a request for it the difference may be our own count's error.
  const isCounted = reported.reasoning > 0 || request === 'unset'
  const tokens = isCounted ? Math.min(hidden, reported.reasoning) : hidden
  const history = histories(app)[request]
  const recent = history.get(model)
  if (!recent) {
    if (tokens > 0) history.set(model, [tokens])
    return
  }
  if (recent.length === recentMax) recent.shift()
  recent.push(tokens)
}

/** The median hidden reasoning of the model's recent calls. */
export const estimateHiddenReasoning = (app: App, parsed: ParsedRequest, model: string): number => {
  const request = readReasoningRequest(parsed)
  if (request === 'off') return 0
  const recent = histories(app)[request].get(model)
  if (!recent) return request === 'on' ? unknownTokens : 0
  return recent.toSorted((one, other) => one - other)[recent.length >> 1]!
}
