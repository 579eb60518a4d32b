import type {
  ChatEvent,
  Citation,
  Failure,
  Finish,
  Part,
  Proof,
  Reported,
  ToolCallPart,
} from '../../canon.ts'
import type { Encoder, Manner } from '../../dialect.ts'
import { ownFields } from '../../extra.ts'
import type { Json } from '../../json.ts'
import { kindOf, type Noting, noting } from '../../notes.ts'
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
type Added = Of<'extra'>

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
  proof: Proof | undefined
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
  proof: undefined,
  wrapped: undefined,
  isFinished: false,
})

/** Every chunk begins and ends the same: only what stands between is made anew. */
export const encodeEvents = (manner: Manner = {}): Encoder => {
  const noted = noting(own)
  const answers: Told[] = []
  const names = customNamesOf(manner)
  const tail = manner.wantsUsage ? '}],"usage":null}\n\n' : '}]}\n\n'
  let head = ''
  let reported: Reported | undefined
  let isOver = false

  const chunk = (choice: number, delta: string, rest: string): string =>
    `${head}"choices":[{"index":${choice},"delta":${delta}${rest}${tail}`
  const going = ',"logprobs":null,"finish_reason":null'

  const start = (event: Start): string => {
    noted.dropForeign(event.extra)
    const facts: Json = {
      id: event.id,
      object: 'chat.completion.chunk',
      created: event.createdAt ?? manner.createdAt ?? 0,
      model: event.model,
      ...(event.tier === undefined ? {} : { service_tier: event.tier }),
      ...ownFields(event.extra, own),
    }
    reported = event.reported
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
        reported = event.reported
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
      const said = openingOf(answer, part, noted)
      return said === '' ? before : before + chunk(choice, said, going)
    }
    noted.dropForeign(part.extra)
    answer.base = answer.length
    if (part.citations) answer.citations.push(...part.citations)
    const words =
      part.text === '' && !part.logprobs
        ? ''
        : delta({ choice, text: part.text, logprobs: part.logprobs })
    answer.proof = part.proof
    return before + words
  }

  const more = (event: ChatEvent): string => {
    if (event.type === 'opaque') {
      if (event.dialect !== own) noted.drop(event.name)
      return ''
    }
    if (event.type === 'extra') return added(event)
    if (!('index' in event)) return ''
    const { choice = 0 } = event
    const answer = answers[choice]
    if (!answer) return ''
    if (event.type === 'citation') answer.citations.push(event.citation)
    else if (event.type === 'transcript')
      return chunk(choice, `{"audio":{"transcript":${JSON.stringify(event.text)}}}`, going)
    else if (event.type === 'proof') return chunk(choice, provedBy(answer, event.proof), going)
    return ''
  }

  const added = ({ choice, index, extra }: Added): string => {
    noted.dropForeign(extra)
    const fields = ownFields(extra, own)
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
    const { proof, wrapped } = answer
    answer.proof = undefined
    answer.wrapped = undefined
    if (wrapped) return chunk(choice, openingOf(answer, unwrapped(wrapped, names), noted), going)
    const proved = proof ? chunk(choice, proofOf(proof.text), going) : ''
    return answer.citations.length === 0 ? proved : proved + sources(choice, answer)
  }

  const sources = (choice: number, answer: Told): string => {
    const annotations = answer.citations
      .map(each => encodeCitation(each, answer.base, answer.length - answer.base))
      .filter(each => each !== undefined)
    if (annotations.length < answer.citations.length) noted.drop('citations')
    answer.citations = []
    if (annotations.length === 0) return ''
    return chunk(choice, JSON.stringify({ annotations }), going)
  }

  const finish = (choice: number, said: Finish): string => {
    const { answer, opening } = told(choice)
    const before = opening + cited(choice, answer)
    answer.isFinished = true
    const word = JSON.stringify(encodeFinish(said, noted))
    return before + chunk(choice, '{}', `,"logprobs":null,"finish_reason":${word}`)
  }

  const end = (): string => {
    isOver = true
    if (head === '') return 'data: [DONE]\n\n'
    let rest = ''
    for (const [choice, answer] of answers.entries())
      if (answer && !answer.isFinished) rest += finish(choice, { reason: 'stop' })
    const usage = manner.wantsUsage ? encodeReported(reported) : undefined
    if (usage) rest += `${head}"choices":[],"usage":${JSON.stringify(usage)}}\n\n`
    return `${rest}data: [DONE]\n\n`
  }

  const fail = ({ message, type, code }: Failure): string => {
    isOver = true
    return `data: ${JSON.stringify({ error: { message, type, param: null, code: code || null } })}\n\n`
  }

  return { push, notes: noted.notes }
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
const openingOf = (answer: Told, part: Part, noted: Noting): string => {
  switch (part.type) {
    case 'thinking': {
      noted.dropForeign(part.extra)
      const index = answer.thoughts
      answer.thoughts += 1
      const text = part.text === '' ? '' : `"reasoning_content":${JSON.stringify(part.text)}`
      if (!part.proof && !ownFields(part.extra, own)) return text && `{${text}}`
      const { text: _, summary: __, ...detail } = encodeDetail(part, index)
      return `{${text && `${text},`}"reasoning_details":[${JSON.stringify(detail)}]}`
    }
    case 'tool-call': {
      answer.isCustom = part.custom === true
      const call = { index: answer.calls, ...encodeCall(part, noted) }
      answer.calls += 1
      return JSON.stringify({ tool_calls: [call] })
    }
    case 'media': {
      const message: Json = {}
      if (part.mime.startsWith('audio/')) message.audio = encodeSound(part)
      else encodeShown(part, message, noted)
      return JSON.stringify(message)
    }
    case 'opaque':
      if (part.dialect === own) return JSON.stringify({ content: [part.value] })
      noted.drop(kindOf(part.value))
      return ''
    default:
      noted.drop(part.type)
      return ''
  }
}

const provedBy = (answer: Told, proof: Proof): string => {
  if (answer.kind === 'thinking')
    return JSON.stringify({ reasoning_details: [encodeProof(proof, answer.thoughts - 1)] })
  if (answer.kind !== 'tool-call') return proofOf(proof.text)
  const call = { index: answer.calls - 1, extra_content: encodeProofOf(proof) }
  return JSON.stringify({ tool_calls: [call] })
}

const proofOf = (text: string): string =>
  JSON.stringify({ extra_content: { google: { thought_signature: text } } })
