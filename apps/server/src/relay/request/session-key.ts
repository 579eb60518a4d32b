import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ParsedRequest } from '@hub/dialects'
import { sessionHeaders } from '@hub/providers'

/**
 * Releases of Claude Code without the header have the session in `metadata.user_id`: `user_…_account_…_session_<uuid>`,
 * or an object as text with `session_id`.
 */
const inUserId = /(?:_session_|\\"session_id\\":\\")([0-9a-f]{8}-[0-9a-f-]{27})/
const fieldBytesMax = 1_000

/** These keep their text. Any other is hashed, so that a key is short and needs no escapes. */
const plainKey = /^[\w.:@/+=-]{1,100}$/
const digestDigits = 32

/** Finds the key of the session that a request belongs to, as its client names it. It says nothing about who calls. */
export const findSessionKey = (
  headers: IncomingHttpHeaders,
  parsed: BodyFields | undefined,
): string | undefined => {
  for (const name of sessionHeaders) {
    const value = headers[name]
    if (typeof value === 'string' && value !== '') return storable(value)
  }
  const named = parsed && (fieldOf(parsed, 'prompt_cache_key')?.slice(1, -1) || userIdOf(parsed))
  return named ? storable(named) : undefined
}

type BodyFields = Pick<ParsedRequest, 'body' | 'fieldRanges'>

const userIdOf = (parsed: BodyFields): string | undefined =>
  inUserId.exec(fieldOf(parsed, 'metadata') ?? '')?.[1]

/** The beginning of a field's JSON text. */
const fieldOf = ({ body, fieldRanges }: BodyFields, name: string): string | undefined => {
  const range = fieldRanges.get(name)
  return (
    range && body.toString('utf8', range.start, Math.min(range.end, range.start + fieldBytesMax))
  )
}

const storable = (text: string): string =>
  plainKey.test(text)
    ? text
    : `sha256:${createHash('sha256').update(text).digest('hex').slice(0, digestDigits)}`

const headFields = ['system', 'systemInstruction', 'system_instruction', 'instructions', 'tools']
const turnFields = ['messages', 'input', 'contents']

/** The beginning of all calls of a conversation: instructions, tools and turns up to the first of the user. */
export const conversationStart = ({ body, fieldRanges }: ParsedRequest): string => {
  const textOf = (name: string): string => {
    const range = fieldRanges.get(name)
    return range ? body.toString('utf8', range.start, range.end) : ''
  }
  const turns: unknown = JSON.parse(turnFields.map(textOf).find(each => each !== '') ?? 'null')
  const first = Array.isArray(turns) ? turns.findIndex(each => each?.role === 'user') : -1
  const opening = Array.isArray(turns) ? turns.slice(0, first + 1) : turns
  return JSON.stringify([...headFields.map(textOf), opening])
}
