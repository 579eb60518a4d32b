import type { ChatEvent, Part } from '../canon.ts'
import type { Decoder } from '../dialect.ts'
import { listOf, stringOf } from '../extra.ts'
import type { Json } from '../json.ts'
import { decodeCitation } from './citations.ts'
import { decodeBlock, redactedPart } from './content-blocks.ts'
import { decodeFault } from './errors.ts'
import { fieldsOf, finishOf, reportedOf } from './response.ts'

const own = 'converse'

/** A block that is told only once it is whole: an image, what a server's tool was asked or said. */
type Held = { block: Json; pieces: Json[] }

/**
 * Frames are named for what they say. A block may begin without being announced: only tools and images are.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const decodeFrames = (emit: (event: ChatEvent) => void): Decoder => {
  let garbage = 0
  let isOver = false
  let hasStarted = false
  let hasFinished = false
  let hasMetadata = false
  /** Parts that were opened; the last of them is the one that grows. */
  let opened = 0
  let open: { block: unknown; type: Part['type'] } | undefined
  let held: Held | undefined

  const tell = (event: ChatEvent): void => {
    if (!hasStarted) emit({ type: 'start', id: '', model: '' })
    hasStarted = true
    emit(event)
  }

  const over = (event: ChatEvent): void => {
    release()
    isOver = true
    tell(event)
  }

  const openPart = (block: unknown, part: Part): number => {
    release()
    open = { block, type: part.type }
    tell({ type: 'part', index: opened, part })
    opened += 1
    return opened - 1
  }

  const release = (): void => {
    if (!held) return
    const { block, pieces } = held
    held = undefined
    openPart(undefined, decodeBlock(wholeOf(block, pieces)))
  }

  /** The part that a piece of this kind belongs to. */
  const growing = (block: unknown, empty: Part): number =>
    open?.block === block && open?.type === empty.type ? opened - 1 : openPart(block, empty)

  const begin = ({ contentBlockIndex, start }: Json): void => {
    release()
    open = undefined
    if (start?.toolUse && start.toolUse.type !== 'server_tool_use') {
      const { toolUseId, name } = start.toolUse
      const call = { id: stringOf(toolUseId), name: stringOf(name), input: '' }
      openPart(contentBlockIndex, { type: 'tool-call', ...call })
    } else if (start?.toolUse || start?.toolResult || start?.image)
      held = { block: start, pieces: [] }
  }

  const grow = (index: number, text: string): void => {
    if (text !== '') tell({ type: 'delta', index, text })
  }

  const think = (block: unknown, { text, signature, redactedContent }: Json): void => {
    if (typeof redactedContent === 'string') {
      openPart(block, redactedPart(redactedContent))
      return
    }
    const index = growing(block, { type: 'thinking', text: '' })
    if (typeof text === 'string') grow(index, text)
    if (stringOf(signature) !== '')
      tell({ type: 'proof', index, proof: { by: own, text: signature } })
  }

  const hearDelta = ({ contentBlockIndex: block, delta }: Json): void => {
    if (held) held.pieces.push(delta)
    else if (typeof delta?.text === 'string')
      grow(growing(block, { type: 'text', text: '' }), delta.text)
    else if (delta?.reasoningContent) think(block, delta.reasoningContent)
    else if (delta?.citation) {
      const index = growing(block, { type: 'text', text: '' })
      tell({ type: 'citation', index, citation: decodeCitation(delta.citation) })
    } else if (delta?.toolUse && open?.type === 'tool-call' && open.block === block)
      grow(opened - 1, stringOf(delta.toolUse.input))
    else garbage += 1
  }

  const endBlock = (): void => {
    release()
    open = undefined
  }

  const hearFields = (frame: Json): void => {
    const fields = fieldsOf(frame)
    if (fields) tell({ type: 'extra', extra: { dialect: own, fields } })
  }

  /** The figures come behind the last word, or before it. */
  const endIfWhole = (): void => {
    if (hasFinished && hasMetadata) over({ type: 'end' })
  }

  const stop = (frame: Json): void => {
    release()
    hasFinished = true
    hearFields(frame)
    tell({ type: 'finish', finish: finishOf(frame.stopReason) })
    endIfWhole()
  }

  const hearMetadata = (frame: Json): void => {
    hasMetadata = true
    hearFields(frame)
    if (frame.usage) tell({ type: 'usage', reported: reportedOf(frame.usage) })
    endIfWhole()
  }

  const fail = (data: string): void => {
    const failure = decodeFault(Buffer.from(data))
    over({
      type: 'failure',
      failure: { ...failure, extra: { dialect: own, fields: { body: data } } },
    })
  }

  const hear = (event: string, frame: Json) => {
    switch (event) {
      case 'contentBlockDelta':
        return hearDelta(frame)
      case 'contentBlockStart':
        return begin(frame)
      case 'contentBlockStop':
        return endBlock()
      case 'messageStart':
        return
      case 'messageStop':
        return stop(frame)
      case 'metadata':
        return hearMetadata(frame)
      case '':
        garbage += 1
        return
      default:
        tell({ type: 'opaque', dialect: own, name: event, value: frame })
    }
  }

  return {
    frame: (data, event) => {
      if (isOver) return
      const frame = parse(data)
      if (frame === undefined) garbage += 1
      else if (event === 'error') fail(data)
      else hear(event, frame)
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

/** The block as a whole answer would have it. */
const wholeOf = (block: Json, pieces: readonly Json[]): Json => {
  const { image, toolUse, toolResult } = block
  if (image) {
    const bytes = pieces.map(each => Buffer.from(stringOf(each?.image?.source?.bytes), 'base64'))
    return { image: { ...image, source: { bytes: Buffer.concat(bytes).toString('base64') } } }
  }
  if (toolUse) {
    const input = pieces.map(each => stringOf(each?.toolUse?.input)).join('')
    return { toolUse: { ...toolUse, input } }
  }
  return {
    toolResult: { ...toolResult, content: pieces.flatMap(each => listOf(each?.toolResult)) },
  }
}

const parse = (data: string): Json => {
  try {
    const value: unknown = JSON.parse(data)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
