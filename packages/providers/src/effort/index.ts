import {
  claudeThinking,
  type EffortLevel,
  type FormatId,
  geminiThinking,
  type Json,
  type ParsedRequest,
  type Thinking,
} from '@hub/dialects'
import { chatEffort } from './chat.ts'

export type EffortTarget = {
  provider: string
  /** The model as the vendor calls it. */
  model: string
  dialect: FormatId
  level: EffortLevel
  /** The share of the output limit for the thoughts of Claude, if it takes a budget. */
  budgetShare?: number
}

type SentRequest = Pick<ParsedRequest, 'body' | 'fieldRanges'>

const given = ({ body, fieldRanges }: SentRequest, field: string): Json => {
  const range = fieldRanges.get(field)
  return range && JSON.parse(body.toString('utf8', range.start, range.end))
}

/** The fields by which a request about to leave tells its vendor the effort, or why the model cannot have it. */
export const effortEdits = (request: SentRequest, target: EffortTarget): Thinking => {
  const { provider, model, dialect, level } = target
  if (dialect === 'gemini') return geminiThinking(bodyOf(request), model, level)
  const fields = chatEffort(provider, level, model)
  if (typeof fields === 'string') return { refusal: fields }
  if (dialect === 'anthropic') {
    const hasNames = provider === 'deepseek' && level !== 'on' && level !== 'off'
    if (hasNames) return { edits: deepseekMessages(bodyOf(request), level) }
    return claudeThinking(bodyOf(request), model, target)
  }
  if (dialect === 'openai-responses') return { edits: responsesEdits(request, fields, target) }
  // Formats of one vendor were written with the effort in them.
  if (dialect !== 'openai-chat') return { edits: {} }
  const edits = { reasoning_effort: undefined, ...fields }
  if (edits.reasoning) edits.reasoning = { ...given(request, 'reasoning'), ...edits.reasoning }
  return { edits }
}

const bodyOf = ({ body }: SentRequest): Json => JSON.parse(body.toString())

/** Responses name the effort as the vendor's chat does; a vendor whose chat has a switch takes the common names. */
const responsesEdits = (
  request: SentRequest,
  fields: Json,
  { level }: EffortTarget,
): { reasoning: Json } => {
  const { effort: _, ...rest } = given(request, 'reasoning') ?? {}
  const common = level === 'on' ? 'medium' : level === 'off' ? 'none' : level
  const named = fields.reasoning_effort ?? fields.reasoning?.effort
  const effort = named ?? (Object.keys(fields).length > 0 ? common : undefined)
  const reasoning = effort === undefined ? rest : { ...rest, effort }
  return { reasoning: Object.keys(reasoning).length > 0 ? reasoning : undefined }
}

/** https://api-docs.deepseek.com/guides/thinking_mode */
const deepseekMessages = ({ output_config }: Json, level: EffortLevel) => ({
  thinking: { type: 'enabled' },
  output_config: { ...output_config, effort: level === 'xhigh' ? 'max' : 'high' },
})
