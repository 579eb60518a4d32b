import { soldSearches } from '../gemini/usage.ts'
import { includesWord } from '../json/escapes.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts'
import type { RequestBytes } from '../parsed-request.ts'

/** The calls of tools that a request allows, of those that vendors sell by the call. */
export type ToolCalls = {
  /** The most calls of each kind, named as in a usage. */
  calls: Readonly<Record<string, number>>
  /** The kinds whose number no field of the request bounds, so that it is the usual one. */
  unbounded: readonly string[]
  /** The most calls of all kinds together. */
  callsMax: number | undefined
}

/** The calls that are reserved where the caller names no limit. Most answers use fewer. */
export const usualCalls: Readonly<Record<string, number>> = {
  web_search: 10,
  x_search: 10,
  file_search: 10,
  code_interpreter: 10,
  image_generation: 2,
}

/** Types of tools without a version, or keys of Gemini's, and the kind that a usage counts them as. */
const kinds: Readonly<Record<string, string>> = {
  // https://developers.openai.com/api/docs/pricing and https://docs.x.ai/developers/pricing
  web_search: 'web_search',
  web_search_preview: 'web_search',
  x_search: 'x_search',
  file_search: 'file_search',
  code_interpreter: 'code_interpreter',
  image_generation: 'image_generation',
  // https://ai.google.dev/gemini-api/docs/pricing
  googleSearch: 'web_search',
  google_search: 'web_search',
  googleSearchRetrieval: 'web_search',
  google_search_retrieval: 'web_search',
  enterpriseWebSearch: 'web_search',
  enterprise_web_search: 'web_search',
}
const geminiKeys = Object.keys(kinds).filter(each => /google|enterprise/i.test(each))

/** One tool of a request: its kind, and the limit that the caller names for it. */
type SoldTool = { kind: string; usesMax: number | undefined }

/**
 * Reads the tools of a request whose body may declare some that a vendor runs itself. Undefined: it declares none that is
 * sold by the call.
 */
export const readToolCalls = (
  { body, fieldRanges }: RequestBytes,
  model: string,
): ToolCalls | undefined => {
  const fieldOf = (name: string): unknown => {
    const range = fieldRanges.get(name)
    return range && JSON.parse(body.toString('utf8', range.start, range.end))
  }
  const input = fieldRanges.get('input')
  // Items of the input may bring further tools.
  const bringsTools = input && includesWord(body.subarray(input.start, input.end), '"tools"')
  const tools = [...soldIn(fieldOf('tools')), ...(bringsTools ? soldIn(fieldOf('input')) : [])]
  return toolCallsOf(tools, { model, callsMax: countOf(fieldOf('max_tool_calls')) })
}

/** As `readToolCalls`, of a value that an operator adds to requests. */
export const toolCallsIn = (value: unknown): ToolCalls | undefined =>
  toolCallsOf(soldIn(value), { model: '', callsMax: undefined })

type CallLimits = { model: string; callsMax: number | undefined }

const toolCallsOf = (
  tools: readonly SoldTool[],
  { model, callsMax }: CallLimits,
): ToolCalls | undefined => {
  if (tools.length === 0) return undefined
  const calls: Record<string, number> = {}
  const unbounded = new Set<string>()
  for (const { kind, usesMax } of tools) {
    const [name = ''] = kind.split(':', 1)
    const usual = usualCalls[name]!
    const most = name === 'web_search' ? soldSearches(model, usual) : usual
    calls[kind] = Math.max(calls[kind] ?? 0, usesMax ?? callsMax ?? most)
    if (usesMax === undefined && callsMax === undefined && most > 1) unbounded.add(kind)
  }
  return { calls, unbounded: [...unbounded], callsMax }
}

const soldIn = (value: unknown): SoldTool[] => {
  if (Array.isArray(value)) return value.flatMap(soldIn)
  if (!isJsonObject(value)) return []
  const byKey = geminiKeys.filter(each => isJsonObject(value[each]))
  const own: SoldTool[] = byKey.map(each => ({ kind: kinds[each]!, usesMax: undefined }))
  const kind = kindOf(value)
  if (kind !== undefined) own.push({ kind, usesMax: countOf(value.max_uses) })
  // A schema of the caller's own function is no declaration of a tool.
  const inner = Object.entries(value).filter(([key]) => !schemaKeys.has(key))
  return [...own, ...inner.flatMap(([, each]) => soldIn(each))]
}

const schemaKeys = new Set(['parameters', 'input_schema', 'function', 'functionDeclarations'])

const kindOf = (tool: JsonObject): string | undefined => {
  if (typeof tool.type !== 'string') return undefined
  const type = tool.type.replace(/_\d[\d_]*$/, '')
  if (geminiKeys.includes(type) || !Object.hasOwn(kinds, type)) return undefined
  const kind = kinds[type]!
  const { quality, size } = tool as Json
  const isFixed = kind === 'image_generation' && isFixedWord(quality) && isFixedWord(size)
  return isFixed ? `${kind}:${quality}-${size}` : kind
}

/** The model chooses what is `auto`. */
const isFixedWord = (value: unknown): boolean =>
  typeof value === 'string' && value !== 'auto' && /^[a-z0-9]{1,20}$/.test(value)

const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined
