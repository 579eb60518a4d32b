import { mark as billingMark } from '../anthropic/attribution.ts'
import type { CallerDialectId } from '../dialect-id.ts'
import type { Json } from '../json/json.ts'
import type { Edits, RequestBytes } from '../parsed-request.ts'

export const systemPromptPositions = ['before', 'after', 'replace', 'missing'] as const
/** The place of an operator's prompt beside the caller's own; `missing` is sent only where the caller has none. */
export type SystemPromptPosition = (typeof systemPromptPositions)[number]

export type SystemPrompt = { text: string; position: SystemPromptPosition }

type PromptEdit = { prompt: SystemPrompt; given: (field: string) => Json }

const between = '\n\n'

/**
 * The edits that put a system prompt into a request of a caller; none where the caller's own stands instead. It is always
 * the same text in the same place, so that vendors can cache what begins with it.
 */
export const systemPromptEdits = (
  dialect: CallerDialectId,
  { body, fieldRanges }: RequestBytes,
  prompt: SystemPrompt,
): Edits => {
  const given = (field: string): Json => {
    const range = fieldRanges.get(field)
    return range && (JSON.parse(body.toString('utf8', range.start, range.end)) ?? undefined)
  }
  return writers[dialect]({ prompt, given })
}

/** Joins a text, or a list of parts, with the prompt. */
const join = (own: Json, { text, position }: SystemPrompt, part: Json): Json => {
  if (position === 'replace' || own === undefined || own === '') return text
  if (!Array.isArray(own)) return (position === 'before' ? [text, own] : [own, text]).join(between)
  return position === 'before' ? [part, ...own] : [...own, part]
}

const isSystem = (item: Json): boolean => item?.role === 'system' || item?.role === 'developer'

const chat = ({ prompt, given }: PromptEdit): Edits => {
  const messages = given('messages')
  if (!Array.isArray(messages)) return {}
  const { text, position } = prompt
  const first = messages.findIndex(isSystem)
  const role = messages[first]?.role ?? 'system'
  const others = position === 'replace' ? messages.filter(each => !isSystem(each)) : messages
  if (first === -1 || position === 'replace')
    return { messages: [{ role, content: text }, ...others] }
  if (position === 'missing') return {}
  // One message has both, because some models accept a single one at the top only.
  const at = position === 'before' ? first : lastLeading(messages, first)
  const content = join(messages[at].content, prompt, { type: 'text', text })
  return { messages: messages.with(at, { ...messages[at], content }) }
}

const lastLeading = (messages: readonly Json[], first: number): number => {
  let last = first
  while (isSystem(messages[last + 1])) last += 1
  return last
}

const responses = ({ prompt, given }: PromptEdit): Edits => {
  const instructions = given('instructions')
  const input = given('input')
  const hasItems = Array.isArray(input) && input.some(isSystem)
  const hasOwn = hasItems || (instructions !== undefined && instructions !== '')
  if (prompt.position === 'missing' && hasOwn) return {}
  const text = join(instructions, prompt, { role: 'developer', content: prompt.text })
  if (prompt.position !== 'replace' || !hasItems) return { instructions: text }
  return { instructions: text, input: input.filter(each => !isSystem(each)) }
}

const messages = ({ prompt, given }: PromptEdit): Edits => {
  const own = given('system')
  const [line, rest] = splitLine(own)
  const hasOwn = rest !== undefined && rest !== '' && !(Array.isArray(rest) && rest.length === 0)
  if (prompt.position === 'missing' && hasOwn) return {}
  const block = { type: 'text', text: prompt.text }
  const system = join(hasOwn ? rest : undefined, prompt, block)
  if (line === undefined) return { system }
  if (typeof line === 'string' && typeof system === 'string') return { system: line + system }
  const blocks = Array.isArray(system) ? system : [{ type: 'text', text: system }]
  return { system: [line, ...blocks] }
}

/** The line that a client begins its prompt with stays at the top, where its vendor looks for it. */
const splitLine = (system: Json): [line: Json, rest: Json] => {
  if (typeof system === 'string' && system.startsWith(billingMark)) {
    const end = system.indexOf('\n') + 1
    return end === 0 ? [`${system}\n`, undefined] : [system.slice(0, end), system.slice(end)]
  }
  const isLine = Array.isArray(system) && String(system[0]?.text).startsWith(billingMark)
  return isLine ? [system[0], system.slice(1)] : [undefined, system]
}

const gemini = ({ prompt, given }: PromptEdit): Edits => {
  const field =
    given('system_instruction') === undefined ? 'systemInstruction' : 'system_instruction'
  const own = given(field)
  const parts = partsOf(own)
  if (prompt.position === 'missing' && parts.length > 0) return {}
  const part = { text: prompt.text }
  const isAlone = prompt.position === 'replace' || parts.length === 0
  const all = isAlone ? [part] : join(parts, prompt, part)
  return { [field]: { ...(typeof own === 'object' ? own : {}), parts: all } }
}

const partsOf = (own: Json): Json[] => {
  if (own === undefined) return []
  if (typeof own === 'string') return [{ text: own }]
  if (Array.isArray(own.parts)) return own.parts
  return own.parts ? [own.parts] : []
}

const writers: Readonly<Record<CallerDialectId, (edit: PromptEdit) => Edits>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic: messages,
  gemini,
}
