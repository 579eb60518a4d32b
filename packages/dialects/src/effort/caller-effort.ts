import type { CallerDialectId } from '../dialect-id.ts'
import type { Json } from '../json/json.ts'
import type { Edits, EffortLevel, RequestBytes } from '../parsed-request.ts'

const fieldValue = ({ body, fieldRanges }: RequestBytes, field: string): Json => {
  const range = fieldRanges.get(field)
  return range && (JSON.parse(body.toString('utf8', range.start, range.end)) ?? undefined)
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

/** The request says itself how much its model is to reason, in any field that some dialect or vendor has for it. */
export const saysEffort = (request: RequestBytes): boolean => {
  for (const each of ['reasoning_effort', 'enable_thinking', 'thinking_budget', 'thinking'])
    if (isSet(fieldValue(request, each))) return true
  const reasoning = fieldValue(request, 'reasoning')
  if (isSet(reasoning?.effort) || isSet(reasoning?.max_tokens) || isSet(reasoning?.enabled))
    return true
  if (isSet(fieldValue(request, 'output_config')?.effort)) return true
  const thinking = thinkingOf(request)?.thinking
  return ['thinkingBudget', 'thinking_budget', 'thinkingLevel', 'thinking_level'].some(each =>
    isSet(thinking?.[each]),
  )
}

/** Gemini's own field for thoughts, by the spelling that the request uses. */
const thinkingOf = (request: RequestBytes) => {
  for (const [field, key] of [
    ['generationConfig', 'thinkingConfig'],
    ['generation_config', 'thinking_config'],
  ] as const) {
    const config = fieldValue(request, field)
    if (config) {
      const name = isSet(config.thinking_config) ? 'thinking_config' : key
      return { field, key: name, config, thinking: config[name] }
    }
  }
  return undefined
}

const effortNames = { on: 'medium', off: 'none' } as const
const effortOf = (level: EffortLevel): string =>
  level === 'on' || level === 'off' ? effortNames[level] : level

/**
 * The fields by which a caller of the dialect would say the effort itself, so that holds, translations and the cache of
 * answers see them. What a vendor names otherwise is written when the request leaves.
 */
export const effortEdits = (
  dialect: CallerDialectId,
  request: RequestBytes,
  level: EffortLevel,
): Edits => {
  if (dialect === 'openai-chat') return { reasoning_effort: effortOf(level) }
  if (dialect === 'openai-responses')
    return { reasoning: { ...fieldValue(request, 'reasoning'), effort: effortOf(level) } }
  if (dialect === 'anthropic') {
    const thinking = { type: level === 'off' ? 'disabled' : 'adaptive' }
    if (level === 'on' || level === 'off') return { thinking }
    return { thinking, output_config: { ...fieldValue(request, 'output_config'), effort: level } }
  }
  const given = thinkingOf(request)
  const thinking = { ...given?.thinking, ...geminiThinking(level) }
  return {
    [given?.field ?? 'generationConfig']: {
      ...given?.config,
      [given?.key ?? 'thinkingConfig']: thinking,
    },
  }
}

const geminiThinking = (level: EffortLevel): Json => {
  if (level === 'on') return { thinkingBudget: -1, includeThoughts: true }
  if (level === 'off') return { thinkingBudget: 0, thinkingLevel: 'NONE' }
  return { thinkingLevel: level.toUpperCase() }
}
