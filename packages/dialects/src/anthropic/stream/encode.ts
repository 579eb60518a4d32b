import type { ChatEvent, Finish, OpaquePart, Part, Proof, Reported } from '../../canon.ts'
import { sealProof } from '../../canon.ts'
import type { Encoder } from '../../dialect.ts'
import { ownFields } from '../../extra.ts'
import type { Json } from '../../json.ts'
import { noting } from '../../notes.ts'
import { encodeCitation } from '../citations.ts'
import { encodeBlocks } from '../content-blocks.ts'
import { wordOf } from '../finish.ts'
import { encodeReported } from '../response.ts'

const own = 'anthropic'

/** What a piece of the open block is; '' where none is open, or nothing of it can be told. */
type Piece = '' | 'text' | 'thinking' | 'input' | 'custom' | 'content'

/** Blocks follow one another, numbered without gaps: some clients count on both. */
export const encodeEvents = (): Encoder => {
  const noted = noting(own)
  let blocks = 0
  let isOpen = false
  let piece: Piece = ''
  let before = ''
  let hasStarted = false
  let isOver = false
  let tier: string | undefined
  let reported: Reported | undefined
  let finish: Finish | undefined
  let isRefusal = false
  /** Fields of the answer that came after it began: they stand in its last events. */
  let late: Record<string, unknown> = {}

  const close = (): string => {
    if (!isOpen) return ''
    const rest = piece === 'custom' ? delta('input_json_delta', 'partial_json', '"}') : ''
    isOpen = false
    piece = ''
    return `${rest}event: content_block_stop\ndata: {"type":"content_block_stop","index":${blocks - 1}}\n\n`
  }

  const opening = (block: Json): string => {
    const closed = close()
    isOpen = true
    blocks += 1
    const said = { type: 'content_block_start', index: blocks - 1, content_block: block }
    // Pieces of this block begin the same.
    before = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${blocks - 1},"delta":{"type":"`
    return `${closed}event: content_block_start\ndata: ${JSON.stringify(said)}\n\n`
  }

  const delta = (type: string, field: string, text: string): string =>
    `${before}${type}","${field}":${JSON.stringify(text)}}}\n\n`

  const grow = (text: string): string => {
    if (text === '') return ''
    switch (piece) {
      case 'text':
        return delta('text_delta', 'text', text)
      case 'thinking':
        return delta('thinking_delta', 'thinking', text)
      case 'input':
        return delta('input_json_delta', 'partial_json', text)
      case 'custom':
        return delta('input_json_delta', 'partial_json', JSON.stringify(text).slice(1, -1))
      case 'content':
        return delta('compaction_delta', 'content', text)
      default:
        return ''
    }
  }

  const open = (part: Part): string => {
    const lent = (part.type === 'text' || part.type === 'tool-call') && part.proof
    const proved = lent ? opening({ type: 'redacted_thinking', data: sealProof(lent, own) }) : ''
    return proved + openOne(part)
  }

  const openOne = (part: Part): string => {
    switch (part.type) {
      case 'text': {
        if (part.logprobs) noted.drop('logprobs')
        isRefusal ||= part.refusal === true
        const opened = opening({ type: 'text', text: '', ...fieldsOf(part) })
        piece = 'text'
        let cited = ''
        for (const citation of part.citations ?? []) cited += cite(citation)
        return opened + cited + grow(part.text)
      }
      case 'thinking': {
        if (part.redacted) return openWhole(part)
        const opened = opening({ type: 'thinking', thinking: '', signature: '', ...fieldsOf(part) })
        piece = 'thinking'
        return opened + grow(part.text) + (part.proof ? prove(part.proof) : '')
      }
      case 'tool-call': {
        const { id, name } = part
        const opened = opening({ type: 'tool_use', id, name, input: {}, ...fieldsOf(part) })
        piece = part.custom ? 'custom' : 'input'
        const head = part.custom ? delta('input_json_delta', 'partial_json', '{"input":"') : ''
        return opened + head + grow(part.input)
      }
      default:
        return openWhole(part)
    }
  }

  const fieldsOf = (part: Part): Record<string, unknown> | undefined => {
    noted.dropForeign(part.extra)
    return ownFields(part.extra, own)
  }

  /** What comes at once, or grows in a field of its own. */
  const openWhole = (part: Part): string => {
    const grown = part.type === 'opaque' ? part.grown : undefined
    const [block] = encodeBlocks([part.type === 'opaque' ? without(part) : part], 'reply', noted)
    // Pieces of it have no place either.
    if (!block) return close()
    const opened = opening(block)
    if (part.type === 'opaque')
      piece = block.input !== undefined ? 'input' : block.type === 'compaction' ? 'content' : ''
    return opened + grow(grown ?? '')
  }

  const cite = (citation: Parameters<typeof encodeCitation>[0]): string => {
    const said = encodeCitation(citation, 'reply')
    if (said === undefined || piece !== 'text') {
      noted.drop('citations')
      return ''
    }
    return `${before}citations_delta","citation":${JSON.stringify(said)}}}\n\n`
  }

  const prove = (proof: Proof): string => {
    if (piece === 'thinking') return delta('signature_delta', 'signature', sealProof(proof, own))
    // It came behind what it proves: a colon more says so.
    const data = sealProof({ by: proof.by, text: `:${proof.text}` }, own)
    return proof.by === own ? '' : opening({ type: 'redacted_thinking', data })
  }

  const start = (event: ChatEvent & { type: 'start' }): string => {
    hasStarted = true
    noted.dropForeign(event.extra)
    tier = event.tier
    reported = event.reported
    const message = {
      id: event.id,
      type: 'message',
      role: 'assistant',
      model: event.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: encodeReported(event.reported, tier),
      ...ownFields(event.extra, own),
    }
    return `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message })}\n\n`
  }

  const added = ({ index, extra }: ChatEvent & { type: 'extra' }): string => {
    noted.dropForeign(extra)
    const fields = ownFields(extra, own)
    if (!fields) return ''
    if (index === undefined) late = { ...late, ...fields }
    else if (piece === 'content')
      return `${before}compaction_delta",${JSON.stringify(fields).slice(1)}}\n\n`
    return ''
  }

  const end = (): string => {
    isOver = true
    const opened = hasStarted ? '' : start({ type: 'start', id: '', model: '' })
    const { stop_details, container, ...beside } = late
    const said = {
      type: 'message_delta',
      delta: {
        stop_reason: finish ? wordOf(finish, isRefusal) : 'end_turn',
        stop_sequence: finish?.sequence ?? null,
        ...(stop_details === undefined ? {} : { stop_details }),
        ...(container === undefined ? {} : { container }),
      },
      ...beside,
      usage: encodeReported(reported, tier),
    }
    return `${opened}${close()}event: message_delta\ndata: ${JSON.stringify(said)}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`
  }

  const fail = ({ failure }: ChatEvent & { type: 'failure' }): string => {
    isOver = true
    const { message, type } = failure
    const error = { type: type || 'api_error', message }
    return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
  }

  const push = (event: ChatEvent): string => {
    if (isOver) return ''
    // There is one answer in this dialect.
    if ('choice' in event && event.choice) {
      noted.drop('n')
      return ''
    }
    switch (event.type) {
      case 'delta':
        if (event.logprobs) noted.drop('logprobs')
        return grow(event.text)
      case 'part':
        return open(event.part)
      case 'proof':
        return prove(event.proof)
      case 'citation':
        return cite(event.citation)
      case 'start':
        return start(event)
      case 'usage':
        reported = event.reported
        return ''
      case 'finish':
        finish = event.finish
        return ''
      case 'extra':
        return added(event)
      case 'opaque':
        if (event.dialect !== own) noted.drop(event.name)
        return event.dialect === own ? again(event) : ''
      case 'end':
        return end()
      case 'failure':
        return fail(event)
      default:
        return ''
    }
  }

  const again = ({ name, value }: ChatEvent & { type: 'opaque' }): string => {
    if (name !== 'content_block_delta') return `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`
    const { delta: said } = value as Json
    return isOpen ? `${before.slice(0, -'{"type":"'.length)}${JSON.stringify(said)}}\n\n` : ''
  }

  return { push, notes: noted.notes }
}

const without = ({ grown, ...part }: OpaquePart): Part => part
