import type {
  ChatEvent,
  Citation,
  Failure,
  Finish,
  Part,
  ReportedUsage,
  Signature,
  ToolCallPart,
} from '../../canon.ts'
import type { EncodeOptions, StreamEncoder } from '../../dialect.ts'
import type { Json } from '../../json.ts'
import { ownFields } from '../../unknown-fields.ts'
import { typeNameOf, type WarningCollector, warningCollector } from '../../warnings.ts'
import {
  customNamesOf,
  encodeCall,
  encodeCitation,
  encodeProofOf,
  unwrapped,
} from '../message/calls.ts'
import { encodeShown, encodeSound } from '../message/content.ts'
import { encodeFinish } from '../message/finish.ts'
import { encodeDetail, encodeProof } from '../message/reasoning.ts'
import { encodeLogprob, encodeReported } from '../reply.ts'

const own = 'openai-chat'

type Of<Type extends ChatEvent['type']> = ChatEvent & { type: Type }
type Words = Pick<Of<'delta'>, 'choice' | 'text' | 'logprobs'>
type Start = Of<'start'>
type Opened = Of<'part'>
type Added = Of<'unknown-fields'>

/** Where one of the answers is. */
type Told = {
  /** Of the part that is open: its kind, and what of it a piece needs to be written. */
  kind: Part['type'] | 'refusal' | ''
  calls: number
  thoughts: number
  isCustom: boolean
  /** Characters of the text so far, and where the open part begins in it. */
  length: number
  base: number
  /** They wait for the end of their part, which says what they are for. */
  citations: Citation[]
  signature: Signature | undefined
  /** A call whose text stands in an object: told when it is whole. */
  wrapped: ToolCallPart | undefined
  isFinished: boolean
}

const silent = (): Told => ({
  kind: '',
  calls: 0,
  thoughts: 0,
  isCustom: false,
  length: 0,
  base: 0,
  citations: [],
  signature: undefined,
  wrapped: undefined,
  isFinished: false,
})

/** Every chunk begins and ends the same: only what stands between is made anew. */
export const encodeEvents = (manner: EncodeOptions = {}): StreamEncoder => {
  const warnings = warningCollector(own)
  const answers: Told[] = []
  const names = customNamesOf(manner)
  const tail = manner.wantsUsage ? '}],"usage":null}\n\n' : '}]}\n\n'
  let head = ''
  let reportedUsage: ReportedUsage | undefined
  let isOver = false

  const chunk = (choice: number, delta: string, rest: string): string =>
    `${head}"choices":[{"index":${choice},"delta":${delta}${rest}${tail}`
  const going = ',"logprobs":null,"finish_reason":null'

  const start = (event: Start): string => {
    warnings.warnForeignFields(event.unknownFields)
    const facts: Json = {
      id: event.id,
      object: 'chat.completion.chunk',
      created: event.createdAt ?? manner.createdAt ?? 0,
      model: event.model,
      ...(event.tier === undefined ? {} : { service_tier: event.tier }),
      ...ownFields(event.unknownFields, own),
    }
    reportedUsage = event.reportedUsage
    head = `data: ${JSON.stringify(facts).slice(0, -1)},`
    return told(0).opening
  }

  /** The first chunk of an answer names its role. */
  const told = (choice: number): { answer: Told; opening: string } => {
    const answer = answers[choice]
    if (answer) return { answer, opening: '' }
    answers[choice] = silent()
    const opening = chunk(choice, '{"role":"assistant","content":"","refusal":null}', going)
    return { answer: answers[choice], opening }
  }

  const push = (event: ChatEvent): string => {
    if (isOver) return ''
    switch (event.type) {
      case 'delta':
        return delta(event)
      case 'part':
        return part(event)
      case 'start':
        return start(event)
      case 'usage':
        reportedUsage = event.reportedUsage
        return ''
      case 'finish':
        return finish(event.choice ?? 0, event.finish)
      case 'end':
        return end()
      case 'failure':
        return fail(event.failure)
      default:
        return more(event)
    }
  }

  const delta = ({ choice = 0, text, logprobs }: Words): string => {
    const answer = answers[choice]
    if (!answer || answer.kind === '') return ''
    if (answer.wrapped) {
      answer.wrapped.input += text
      return ''
    }
    if (answer.kind === 'text' || answer.kind === 'refusal') {
      answer.length += answer.kind === 'text' ? text.length : 0
      const field = answer.kind === 'text' ? 'content' : 'refusal'
      return chunk(
        choice,
        `{"${field}":${JSON.stringify(text)}}`,
        logprobs ? logprobsOf(field, logprobs) : going,
      )
    }
    return chunk(choice, pieceOf(answer, text), going)
  }

  const part = ({ choice = 0, part }: Opened): string => {
    const { answer, opening } = told(choice)
    const before = opening + cited(choice, answer)
    answer.kind = part.type === 'text' && part.refusal ? 'refusal' : part.type
    if (part.type === 'tool-call' && !part.custom && names.has(part.name)) {
      answer.wrapped = { ...part }
      return before
    }
    if (part.type !== 'text') {
      const said = openingOf(answer, part, warnings)
      return said === '' ? before : before + chunk(choice, said, going)
    }
    warnings.warnForeignFields(part.unknownFields)
    answer.base = answer.length
    if (part.citations) answer.citations.push(...part.citations)
    const words =
      part.text === '' && !part.logprobs
        ? ''
        : delta({ choice, text: part.text, logprobs: part.logprobs })
    answer.signature = part.signature
    return before + words
  }

  const more = (event: ChatEvent): string => {
    if (event.type === 'opaque') {
      if (event.dialect !== own) warnings.warnDropped(event.name)
      return ''
    }
    if (event.type === 'unknown-fields') return added(event)
    if (!('index' in event)) return ''
    const { choice = 0 } = event
    const answer = answers[choice]
    if (!answer) return ''
    if (event.type === 'citation') answer.citations.push(event.citation)
    else if (event.type === 'transcript')
      return chunk(choice, `{"audio":{"transcript":${JSON.stringify(event.text)}}}`, going)
    else if (event.type === 'signature')
      return chunk(choice, provedBy(answer, event.signature), going)
    return ''
  }

  const added = ({ choice, index, unknownFields }: Added): string => {
    warnings.warnForeignFields(unknownFields)
    const fields = ownFields(unknownFields, own)
    if (!fields || index !== undefined) return ''
    if (choice === undefined)
      return `${head}${JSON.stringify(fields).slice(1, -1)},"choices":[]${tail.slice(2)}`
    const { message, ...rest } = fields
    const { opening } = told(choice)
    const said = JSON.stringify(rest).slice(1, -1)
    return opening + chunk(choice, JSON.stringify(message ?? {}), said ? `${going},${said}` : going)
  }

  /** Sources and proof of the words that were told last. */
  const cited = (choice: number, answer: Told): string => {
    const { signature, wrapped } = answer
    answer.signature = undefined
    answer.wrapped = undefined
    if (wrapped) return chunk(choice, openingOf(answer, unwrapped(wrapped, names), warnings), going)
    const proved = signature ? chunk(choice, proofOf(signature.text), going) : ''
    return answer.citations.length === 0 ? proved : proved + sources(choice, answer)
  }

  const sources = (choice: number, answer: Told): string => {
    const annotations = answer.citations
      .map(each => encodeCitation(each, answer.base, answer.length - answer.base))
      .filter(each => each !== undefined)
    if (annotations.length < answer.citations.length) warnings.warnDropped('citations')
    answer.citations = []
    if (annotations.length === 0) return ''
    return chunk(choice, JSON.stringify({ annotations }), going)
  }

  const finish = (choice: number, said: Finish): string => {
    const { answer, opening } = told(choice)
    const before = opening + cited(choice, answer)
    answer.isFinished = true
    const word = JSON.stringify(encodeFinish(said, warnings))
    return before + chunk(choice, '{}', `,"logprobs":null,"finish_reason":${word}`)
  }

  const end = (): string => {
    isOver = true
    if (head === '') return 'data: [DONE]\n\n'
    let rest = ''
    for (const [choice, answer] of answers.entries())
      if (answer && !answer.isFinished) rest += finish(choice, { reason: 'stop' })
    const usage = manner.wantsUsage ? encodeReported(reportedUsage) : undefined
    if (usage) rest += `${head}"choices":[],"usage":${JSON.stringify(usage)}}\n\n`
    return `${rest}data: [DONE]\n\n`
  }

  const fail = ({ message, type, code }: Failure): string => {
    isOver = true
    return `data: ${JSON.stringify({ error: { message, type, param: null, code: code || null } })}\n\n`
  }

  return { push, warnings: warnings.list }
}

const logprobsOf = (field: string, logprobs: Parameters<typeof encodeLogprob>[0][]): string => {
  const said = { content: null, refusal: null, [field]: logprobs.map(encodeLogprob) }
  return `,"logprobs":${JSON.stringify(said)},"finish_reason":null`
}

/** A piece of what is no text. */
const pieceOf = ({ kind, calls, isCustom }: Told, text: string): string => {
  const said = JSON.stringify(text)
  if (kind === 'thinking') return `{"reasoning_content":${said}}`
  if (kind === 'media') return `{"audio":{"data":${said}}}`
  if (kind !== 'tool-call') return '{}'
  const field = isCustom ? `"custom":{"input":${said}}` : `"function":{"arguments":${said}}`
  return `{"tool_calls":[{"index":${calls - 1},${field}}]}`
}

/** The delta that opens a part; '' where this dialect says nothing yet, or cannot. */
const openingOf = (answer: Told, part: Part, warnings: WarningCollector): string => {
  switch (part.type) {
    case 'thinking': {
      warnings.warnForeignFields(part.unknownFields)
      const index = answer.thoughts
      answer.thoughts += 1
      const text = part.text === '' ? '' : `"reasoning_content":${JSON.stringify(part.text)}`
      if (!part.signature && !ownFields(part.unknownFields, own)) return text && `{${text}}`
      const { text: _, summary: __, ...detail } = encodeDetail(part, index)
      return `{${text && `${text},`}"reasoning_details":[${JSON.stringify(detail)}]}`
    }
    case 'tool-call': {
      answer.isCustom = part.custom === true
      const call = { index: answer.calls, ...encodeCall(part, warnings) }
      answer.calls += 1
      return JSON.stringify({ tool_calls: [call] })
    }
    case 'media': {
      const message: Json = {}
      if (part.mime.startsWith('audio/')) message.audio = encodeSound(part)
      else encodeShown(part, message, warnings)
      return JSON.stringify(message)
    }
    case 'opaque':
      if (part.dialect === own) return JSON.stringify({ content: [part.value] })
      warnings.warnDropped(typeNameOf(part.value))
      return ''
    default:
      warnings.warnDropped(part.type)
      return ''
  }
}

const provedBy = (answer: Told, signature: Signature): string => {
  if (answer.kind === 'thinking')
    return JSON.stringify({ reasoning_details: [encodeProof(signature, answer.thoughts - 1)] })
  if (answer.kind !== 'tool-call') return proofOf(signature.text)
  const call = { index: answer.calls - 1, extra_content: encodeProofOf(signature) }
  return JSON.stringify({ tool_calls: [call] })
}

const proofOf = (text: string): string =>
  JSON.stringify({ extra_content: { google: { thought_signature: text } } })
