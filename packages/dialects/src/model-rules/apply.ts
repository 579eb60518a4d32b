import type { ChatRequest } from '../canon.ts'
import type { DialectId } from '../dialect-id.ts'
import { limitCacheMarks } from './cache-marks.ts'
import { limitFields } from './fields.ts'
import { withFunctionTools } from './function-tools.ts'
import { changeMessages } from './messages.ts'
import type { RulesOfModel, SamplingField } from './rule.ts'
import { changeThinking, thinks } from './thinking.ts'

/** A request that a model's rules forbid, and that nothing equal can replace. */
export type RefusedBy = 'thinking-off' | 'forced-tools' | 'prefill'

/** A request that keeps the rules. `notes` names what was changed; `refused` tells that it cannot keep them. */
export type RuledRequest = { request: ChatRequest; notes: readonly string[]; refused?: RefusedBy }

/** Names of fields as warnings have them. */
const fieldNames: Readonly<Record<SamplingField, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  n: 'n',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  stop: 'stop',
  logprobs: 'logprobs',
}

/** Keeps the limits that hold for every request, also for one that leaves in the caller's own dialect. */
export const applyFieldRules = (request: ChatRequest, rules: RulesOfModel): RuledRequest => {
  const { fields, notes } = limitFields(request, rules)
  for (const _ in fields) return { request: { ...request, ...fields }, notes }
  return { request, notes }
}

/** Changes a request of another dialect so that it keeps the rules of the model, or tells why that cannot be. */
export const applyModelRules = (
  given: ChatRequest,
  rules: RulesOfModel,
  dialect: DialectId,
): RuledRequest => {
  const limited = applyFieldRules(given, rules)
  const thinking = changeThinking(limited.request, rules, dialect)
  const notes = [...limited.notes, ...thinking.notes]
  if (thinking.refused) return { request: given, notes, refused: thinking.refused }
  let request = changed(limited.request, thinking.fields)
  request = withoutSampling(request, rules, notes)
  const { messages, ...rest } = changeMessages(request, rules)
  notes.push(...rest.notes)
  if (rest.refused) return { request: given, notes, refused: rest.refused }
  if (messages !== request.messages) request = { ...request, messages }
  if (rules['function-tools']) {
    const functions = withFunctionTools(request)
    request = functions.request
    notes.push(...functions.notes)
  }
  const marks = rules['cache-marks']
  if (marks) {
    const marked = limitCacheMarks(request, marks.max)
    if (marked !== request) notes.push(`cache_control beyond ${marks.max}`)
    request = marked
  }
  return { request, notes }
}

const changed = (request: ChatRequest, fields: Partial<ChatRequest>): ChatRequest => {
  if (!('reasoning' in fields)) return request
  const { reasoning: _, ...rest } = request
  return fields.reasoning === undefined ? rest : { ...rest, reasoning: fields.reasoning }
}

const withoutSampling = (
  request: ChatRequest,
  rules: RulesOfModel,
  notes: string[],
): ChatRequest => {
  const { sampling } = rules
  if (!sampling || (sampling.while === 'thinking' && !thinks(request, rules))) return request
  const refused = sampling.fields.filter(
    each => request[each] !== undefined && !(each === 'n' && request.n === 1),
  )
  if (refused.length === 0) return request
  const without = { ...request }
  for (const each of refused) delete without[each]
  notes.push(...refused.map(each => fieldNames[each]))
  return without
}
