import {
  addEvent,
  type CallerFormat,
  type Dialect,
  emptyReply,
  type Failure,
  frameReader,
  isDialect,
  replyEvents,
  type UpstreamDialect,
  type UpstreamFormat,
} from '@hub/dialects'

// Some vendors ignore `stream`: they answer one JSON object to a call for a stream, or a stream to any other.

/** Returns whether an answer is a stream of server-sent events, whatever its content type says. */
export const isEventStream = (start: Buffer): boolean =>
  /^\s*(event|data|id|retry)?:/.test(start.toString('latin1', 0, 64))

type WholeAnswer = { ok: true; body: Buffer } | { ok: false; failure: Failure | undefined }

/** Joins a streamed answer to one JSON object. Without a failure the stream broke off. */
export const joinStream = (format: UpstreamFormat, stream: Buffer): WholeAnswer =>
  'decodeFrames' in format
    ? joinChat(format as UpstreamDialect | Dialect, stream)
    : { ok: false, failure: undefined }

const joinChat = (dialect: UpstreamDialect | Dialect, stream: Buffer): WholeAnswer => {
  const reply = emptyReply()
  let failure: Failure | undefined
  let isComplete = false
  const decoder = dialect.decodeFrames(event => {
    if (event.type === 'failure') failure = event.failure
    if (event.type === 'end') isComplete = true
    addEvent(reply, event)
  })
  const reader = frameReader('sse', (data, event) => decoder.pushFrame(data, event))
  reader.push(stream)
  reader.end()
  decoder.end()
  if (isComplete && dialect.encodeReply)
    return { ok: true, body: Buffer.from(JSON.stringify(dialect.encodeReply(reply).body)) }
  const isVendors = failure?.type !== 'stream_broken' && failure?.code !== 'stream_broken'
  return { ok: false, failure: isVendors ? failure : undefined }
}

export const canSplit = (format: CallerFormat): boolean =>
  isDialect(format) || format.splitReply !== undefined

/** Splits a whole answer into the events of a stream. */
export const splitIntoEvents = (
  format: CallerFormat,
  body: Buffer,
  options: Parameters<Dialect['encodeEvents']>[0],
): Buffer =>
  isDialect(format) ? splitChat(format, body, options) : (format.splitReply?.(body) ?? body)

const splitChat = (
  dialect: Dialect,
  body: Buffer,
  options: Parameters<Dialect['encodeEvents']>[0],
): Buffer => {
  const encoder = dialect.encodeEvents(options)
  let text = ''
  for (const event of replyEvents(dialect.decodeReply(JSON.parse(body.toString()))))
    text += encoder.push(event)
  return Buffer.from(text)
}
