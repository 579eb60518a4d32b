import type { ChatEvent } from '../../canon.ts'
import { openProof } from '../../canon.ts'
import type { Decoder } from '../../dialect.ts'
import { listOf, restOf, stringOf } from '../../extra.ts'
import { dataTemplate } from '../../framing/data-template.ts'
import type { Json } from '../../json.ts'
import { decodeCitation } from '../citations.ts'
import { decodeBlock } from '../content-blocks.ts'
import { decodeFault } from '../errors.ts'
import { finishOf } from '../finish.ts'
import { replyKeys, reportedOf, tierOf } from '../response.ts'
import { laterUsage } from '../usage.ts'

export { encodeEvents } from './encode.ts'

const own = 'anthropic'
const deltaKeys = new Set(['stop_reason', 'stop_sequence'])
const frameKeys = new Set(['type', 'delta', 'usage'])

// https://platform.claude.com/docs/en/build-with-claude/streaming
export const decodeFrames = (emit: (event: ChatEvent) => void): Decoder => {
  const template = dataTemplate()
  /** Of the block whose pieces are like the pattern. */
  let templateIndex = 0
  let garbage = 0
  let isOver = false
  let hasStarted = false
  let hasFinished = false
  let usage: Json
  /** Blocks are counted from 0 in each message; a second one in a stream goes on where the first ended. */
  let opened = 0
  let base = 0

  const over = (event: ChatEvent): void => {
    isOver = true
    if (usage) emit({ type: 'usage', reported: reportedOf(usage) })
    emit(event)
  }

  const start = (message: Json): void => {
    usage = usage ? laterUsage(usage, message.usage ?? {}) : message.usage
    base = opened
    if (hasStarted) return
    hasStarted = true
    const event: ChatEvent = { type: 'start', id: message.id ?? '', model: message.model ?? '' }
    const tier = tierOf(message.usage)
    if (tier !== undefined) event.tier = tier
    if (message.usage) event.reported = reportedOf(message.usage)
    const extra = restOf(message, replyKeys, own)
    if (extra) event.extra = extra
    emit(event)
    // Some vendors put what the answer begins with here.
    for (const block of listOf(message.content)) open(block)
  }

  const open = (block: Json): void => {
    const part = decodeBlock(block)
    // What is an input in the end is an empty object first.
    if (part.type === 'tool-call' && part.input === '{}') part.input = ''
    emit({ type: 'part', index: opened, part })
    opened += 1
  }

  const hearPiece = (index: number, delta: Json, key: string, data: string): void => {
    const text = stringOf(delta[key])
    emit({ type: 'delta', index, text })
    template.learn(data, key, text)
    templateIndex = index
  }

  const hearDelta = (at: unknown, delta: Json, data: string) => {
    const index = typeof at === 'number' ? base + at : opened - 1
    if (index < 0 || index >= opened) {
      garbage += 1
      return
    }
    switch (delta?.type) {
      case 'text_delta':
        return hearPiece(index, delta, 'text', data)
      case 'input_json_delta':
        if (delta.partial_json) hearPiece(index, delta, 'partial_json', data)
        return
      case 'thinking_delta':
        return hearPiece(index, delta, 'thinking', data)
      case 'signature_delta':
        return emit({ type: 'proof', index, proof: openProof(stringOf(delta.signature), own) })
      case 'citations_delta':
        return emit({ type: 'citation', index, citation: decodeCitation(delta.citation) })
      case 'compaction_delta': {
        if (typeof delta.content === 'string') emit({ type: 'delta', index, text: delta.content })
        const extra = restOf(delta, compactionKeys, own)
        if (extra) emit({ type: 'extra', choice: 0, index, extra })
        return
      }
      default:
        emit({ type: 'opaque', dialect: own, name: 'content_block_delta', value: { index, delta } })
    }
  }

  const hearMessage = (frame: Json): void => {
    const { delta } = frame
    if (frame.usage) usage = laterUsage(usage ?? {}, frame.usage)
    const extra = restOf(frame, frameKeys, own)
    const more = restOf(delta, deltaKeys, own)
    const fields = { ...extra?.fields, ...more?.fields }
    if (extra || more) emit({ type: 'extra', extra: { dialect: own, fields } })
    if (typeof delta?.stop_reason !== 'string') return
    hasFinished = true
    emit({ type: 'finish', finish: finishOf(delta.stop_reason, delta.stop_sequence) })
  }

  const fail = (data: string): void => {
    const failure = decodeFault(Buffer.from(data))
    over({
      type: 'failure',
      failure: { ...failure, extra: { dialect: own, fields: { body: data } } },
    })
  }

  const hear = (frame: Json, data: string) => {
    switch (frame?.type) {
      case 'content_block_delta':
        return hearDelta(frame.index, frame.delta, data)
      case 'content_block_start':
        return open(frame.content_block)
      case 'content_block_stop':
      case 'ping':
        return
      case 'message_start':
        return start(frame.message ?? {})
      case 'message_delta':
        return hearMessage(frame)
      case 'message_stop':
        return over({ type: 'end' })
      case 'error':
        return fail(data)
      default:
        if (typeof frame?.type !== 'string') garbage += 1
        else emit({ type: 'opaque', dialect: own, name: frame.type, value: frame })
    }
  }

  return {
    frame: (data, event) => {
      if (isOver) return
      const text = template.textIn(event === 'error' ? '' : data)
      if (text !== '') return emit({ type: 'delta', index: templateIndex, text })
      const frame = parse(data)
      if (frame === undefined) garbage += 1
      else if (event === 'error' || (frame.type === undefined && frame.error)) fail(data)
      else hear(frame, data)
    },
    close: () => {
      if (isOver) return
      if (hasFinished) return over({ type: 'end' })
      const message = 'The stream ended before the answer was whole.'
      over({ type: 'failure', failure: { message, type: 'stream_broken', code: '' } })
    },
    garbage: () => garbage,
  }
}

const compactionKeys = new Set(['type', 'content'])

const parse = (data: string): Json => {
  try {
    return JSON.parse(data) ?? undefined
  } catch {
    return undefined
  }
}
