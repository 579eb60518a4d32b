import type { DialectId, FormatId } from '../dialect-id.ts'

/**
 * A mark is eight letters and digits, different in each installation, in all that the gateway invented in an answer. A
 * vendor's own text has them by chance in less than one of 10^10 answers.
 */
export type Mark = string

/**
 * The forms of the mark in a request of the dialect. Gemini's signatures are bytes in base64, which the mark and the name
 * of a dialect before it are written in.
 */
export const markNeedles = (mark: Mark, dialect: FormatId): readonly string[] =>
  dialect === 'gemini' ? [mark, ...wrappedMarks(mark)] : [mark]

const wrappedMarks = (mark: Mark): string[] =>
  wrappable.map(dialect => {
    const text = Buffer.from(`${dialect}:${mark}`)
    return text.subarray(0, text.length - (text.length % 3)).toString('base64')
  })

const wrappable: readonly DialectId[] = ['openai-chat', 'openai-responses', 'anthropic', 'converse']

/** "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'" https://github.com/maximhq/bifrost/issues/5097 */
const claudeIds = /^[a-zA-Z0-9_-]+$/
const claudePrefix = 'toolu_'

/**
 * The id of a call as the caller's own vendor accepts it too. Anthropic alone refuses ids that others make. The vendor of
 * the id finds its own again, because some know their calls by them.
 */
export const markCallId = (id: string, own: DialectId, mark: Mark): string =>
  own !== 'anthropic' || id === '' || claudeIds.test(id)
    ? id
    : claudePrefix + mark + Buffer.from(id).toString('base64url')

/** Inverse of `markCallId`. */
export const unmarkCallId = (id: string, mark: Mark): string =>
  id.startsWith(claudePrefix + mark)
    ? Buffer.from(id.slice(claudePrefix.length + mark.length), 'base64url').toString()
    : id
