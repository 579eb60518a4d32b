import {
  addEvent,
  answerEvents,
  type CallerFormat,
  type Dialect,
  emptyAnswer,
  type Failure,
  frameReader,
  isDialect,
  nameCalls,
  type UpstreamDialect,
  type UpstreamFormat,
} from '@hub/dialects'

// Some vendors ignore `stream`: they answer one JSON object to a call for a stream, or a stream to any other.

type WholeAnswer = { ok: true; body: Buffer } | { ok: false; failure: Failure | undefined }

/** Joins a streamed answer to one JSON object. Without a failure the stream broke off. */
export const joinStream = (format: UpstreamFormat, stream: Buffer): WholeAnswer =>
  'decodeFrames' in format
    ? joinChat(format as UpstreamDialect | Dialect, stream)
    : { ok: false, failure: undefined }

const joinChat = (dialect: UpstreamDialect | Dialect, stream: Buffer): WholeAnswer => {
  const answer = emptyAnswer()
  let failure: Failure | undefined
  let isComplete = false
  const decoder = dialect.decodeFrames(event => {
    if (event.type === 'failure') failure = event.failure
    if (event.type === 'end') isComplete = true
    addEvent(answer, event)
  })
  const reader = frameReader('sse', (data, event) => decoder.pushFrame(data, event))
  reader.push(stream)
  reader.end()
  decoder.end()
  if (isComplete && dialect.encodeResponse)
    return {
      ok: true,
      body: Buffer.from(JSON.stringify(dialect.encodeResponse(nameCalls(answer)).body)),
    }
  const isVendors = failure?.type !== 'stream_broken' && failure?.code !== 'stream_broken'
  return { ok: false, failure: isVendors ? failure : undefined }
}

export const canSplit = (format: CallerFormat): boolean =>
  isDialect(format) || format.splitAnswer !== undefined

/** Splits a whole answer into the events of a stream. */
export const splitIntoEvents = (
  format: CallerFormat,
  body: Buffer,
  options: Parameters<Dialect['encodeEvents']>[0],
): Buffer =>
  isDialect(format) ? splitChat(format, body, options) : (format.splitAnswer?.(body) ?? body)

const splitChat = (
  dialect: Dialect,
  body: Buffer,
  options: Parameters<Dialect['encodeEvents']>[0],
): Buffer => {
  const encoder = dialect.encodeEvents(options)
  let text = ''
  for (const event of answerEvents(nameCalls(dialect.decodeAnswer(JSON.parse(body.toString())))))
    text += encoder.push(event)
  return Buffer.from(text)
}
