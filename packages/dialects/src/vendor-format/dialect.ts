import type { ChatAnswer } from '../canon.ts'
import type { AnswerSummary, UpstreamDialect } from '../dialect.ts'
import type { VendorDialectId } from '../dialect-id.ts'
import { emptinessOfAnswer } from '../empty-answers/canon.ts'
import { invalid, readTop } from '../json/read-request.ts'
import { splice as spliceTop } from '../json/splice.ts'
import { weightedCharsInPart } from '../meter.ts'
import type { Edits, ParsedRequest, PathParams, ReadResult } from '../parsed-request.ts'

/** The parts of a private format that differ between vendors. */
export type VendorFormat = Pick<
  UpstreamDialect,
  'encodeRequest' | 'decodeFrames' | 'decodeUsage' | 'decodeFault'
> & {
  id: VendorDialectId
  /**
   * Undefined: the body is no answer, but an error under a good status. Absent for a vendor that is always asked for a
   * stream, which is joined where the caller requested none.
   */
  decodeAnswer?(body: unknown): ChatAnswer | undefined
}

/**
 * Makes the upstream dialect of one vendor's private chat format. `encodeRequest` writes `model` and `stream` where the
 * vendor reads them in the body; an edit replaces them there and is ignored elsewhere.
 */
export const defineVendorDialect = ({
  decodeAnswer = decodeJoinedAnswer,
  ...format
}: VendorFormat): UpstreamDialect => ({
  ...format,
  read,
  splice,
  usageEdits: () => ({}),
  readAnswer: bytes => readAnswer(bytes, decodeAnswer),
  decodeAnswer: body => {
    const answer = decodeAnswer(body)
    if (!answer) throw new Error('not an answer')
    return answer
  },
  ...(decodeAnswer === decodeJoinedAnswer && {
    encodeResponse: answer => ({ body: answer, warnings: [] }),
  }),
})

/** A joined stream is written as the canonical answer itself. */
const decodeJoinedAnswer = (body: unknown): ChatAnswer | undefined =>
  Array.isArray((body as Partial<ChatAnswer>).choices) ? (body as ChatAnswer) : undefined

/** Reads a body that this gateway encoded; callers cannot use these formats. */
const read = (body: Buffer, named?: PathParams): ReadResult => {
  const top = readTop(body, [])
  if (!top.ok) return top
  if (!named || named.model === '') return invalid('The path must name a model.')
  const { promptTokens, hasAddresses, fieldRanges } = top
  const parsed = {
    ...named,
    outputMax: undefined,
    n: 1,
    hasTools: fieldRanges.has('tools'),
    wantsUsage: true,
    promptTokens,
    hasAddresses,
    fieldRanges,
    body,
  }
  return { ok: true, parsed }
}

const splice = (parsed: ParsedRequest, edits: Edits): Buffer => {
  const accepted = Object.entries(edits).filter(
    ([name]) => (name !== 'model' && name !== 'stream') || parsed.fieldRanges.has(name),
  )
  return spliceTop(parsed, Object.fromEntries(accepted))
}

const readAnswer = (
  bytes: Buffer,
  decodeAnswer: Required<VendorFormat>['decodeAnswer'],
): AnswerSummary => {
  const body = parse(bytes)
  const answer = typeof body === 'object' && body !== null ? decodeAnswer(body) : undefined
  if (!answer) return { ok: false, failure: body }
  const parts = answer.choices.flatMap(each => each.parts)
  const weightedChars = parts.reduce((sum, part) => sum + weightedCharsInPart(part), 0)
  return {
    ok: true,
    usage: answer.reportedUsage?.usage,
    meteredTokens: Math.ceil(weightedChars / 4),
    emptiness: emptinessOfAnswer(answer),
  }
}

const parse = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
