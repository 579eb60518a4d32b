import type { CallerFormat } from '../dialect.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { weightedCharsInText } from '../meter.ts'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'

/** The part of an answer that its failure carries, in quarters of a token. */
export type FailureOutput = {
  /** Output that stands nowhere else: of Groq, or beside the error. */
  own: number
  /** The output of the whole response, of which a stream has sent most before. */
  repeated: number
  usage: JsonObject | undefined
}

/** Objects in which an answer stands that failed. Elsewhere the same names may echo the request. */
const wrappers: ReadonlySet<string> = new Set(['error', 'response', 'message', 'x_groq'])
const outputs: ReadonlySet<string> = new Set(['choices', 'candidates', 'content', 'output'])
const usages: ReadonlySet<string> = new Set(['usage', 'usageMetadata'])
/** https://console.groq.com/docs/errors */
const generation = 'failed_generation'

/** The members of an output that the meters of the dialects weigh, as text or as JSON. */
const texts: ReadonlySet<string> = new Set([
  ...['text', 'content', 'refusal', 'reasoning', 'reasoning_content', 'thinking', 'transcript'],
  ...['name', 'arguments', 'args', 'input', 'code', 'partial_json'],
])

/** Relays put the error of their vendor into a text: https://openrouter.ai/docs/api-reference/errors */
const quotedGeneration = /\bfailed_generation\\*["']\s*:/

/** Signs of JSON around a quoted text. */
const around = ' "\'\\{}[](),\n'

/** An error that is nested deeper says nothing that a vendor documents. */
const depthMax = 12

/** Reads the output and the usage that a failure carries beside its reason. */
export const readFailureOutput = (failure: unknown): FailureOutput => {
  const found: FailureOutput = { own: 0, repeated: 0, usage: undefined }
  read(failure, { found, place: 'answer', depth: 0 })
  return found
}

/** As `readFailureOutput`, of a body that may be no JSON. */
export const readRefusalOutput = (body: Buffer): FailureOutput => {
  const text = body.toString()
  try {
    return readFailureOutput(JSON.parse(text))
  } catch {
    return readFailureOutput(text)
  }
}

type Walk = { found: FailureOutput; place: 'answer' | 'choice' | 'other'; depth: number }

const read = (value: unknown, walk: Walk): void => {
  if (typeof value === 'string') walk.found.own += weightOfQuoted(value)
  if (typeof value !== 'object' || value === null || walk.depth > depthMax) return
  const inner = { ...walk, depth: walk.depth + 1 }
  if (Array.isArray(value)) for (const each of value) read(each, inner)
  else for (const [key, member] of Object.entries(value)) readMember(key, member, inner)
}

const readMember = (key: string, member: unknown, walk: Walk): void => {
  const { found, place, depth } = walk
  if (key === generation) {
    found.own += weightOf(member)
    return
  }
  if (place !== 'other' && usages.has(key) && isJsonObject(member)) found.usage = member
  if (place === 'answer' && outputs.has(key))
    found[key === 'output' ? 'repeated' : 'own'] += weightOfOutput(member, depth)
  read(member, { found, place: placeIn(key, place), depth })
}

/** Moonshot sends the usage inside a choice. */
const placeIn = (key: string, place: Walk['place']): Walk['place'] => {
  if (place !== 'answer') return 'other'
  if (key === 'choices') return 'choice'
  return wrappers.has(key) ? 'answer' : 'other'
}

const weightOfQuoted = (text: string): number => {
  const quoted = quotedGeneration.exec(text)
  if (!quoted) return 0
  const rest = text.slice(quoted.index + quoted[0].length)
  let [start, end] = [0, rest.length]
  while (start < end && around.includes(rest[start]!)) start += 1
  while (end > start && around.includes(rest[end - 1]!)) end -= 1
  const words = rest.slice(start, end)
  return words === 'null' || words === 'None' ? 0 : weightedCharsInText(words)
}

const weightOfOutput = (value: unknown, depth: number): number => {
  if (typeof value === 'string') return weightedCharsInText(value)
  if (typeof value !== 'object' || value === null || depth > depthMax) return 0
  const members = Object.entries(value)
  return members.reduce((sum, [key, member]) => sum + weightOfMember(key, member, depth + 1), 0)
}

const weightOfMember = (key: string, member: unknown, depth: number): number => {
  if (key === 'error') return 0
  if (typeof member === 'string') return texts.has(key) ? weightedCharsInText(member) : 0
  return (key === 'args' || key === 'input') && isJsonObject(member)
    ? weightOf(member)
    : weightOfOutput(member, depth)
}

const weightOf = (value: unknown): number =>
  weightedCharsInText(typeof value === 'string' ? value : filledJson(value))

const filledJson = (value: unknown): string => {
  const json = JSON.stringify(value) ?? ''
  return /^(null|\[\]|\{\})?$/.test(json) ? '' : json
}

/** The usage that a failure reports; undefined where it counts nothing. */
export const usageOfFailure = (
  { decodeUsage }: Pick<CallerFormat, 'decodeUsage'>,
  { usage }: FailureOutput,
): Usage | undefined => {
  const decoded = usage && decodeUsage(usage)
  if (typeof decoded !== 'object') return undefined
  return inputTokens(decoded) + outputTokens(decoded) > 0 ? decoded : undefined
}

/** The words of an error without the output of the model that a relay put into them. */
export const withoutGeneration = (message: string): string => {
  const quoted = quotedGeneration.exec(message)
  return quoted ? `${message.slice(0, quoted.index)}…` : message
}
