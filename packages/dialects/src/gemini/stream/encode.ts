import type {
  ChatEvent,
  Citation,
  Failure,
  Finish,
  Logprob,
  Part,
  Proof,
  Reported,
} from '../../canon.ts'
import type { Encoder, Manner } from '../../dialect.ts'
import type { Json } from '../../json.ts'
import { noting } from '../../notes.ts'
import { groundingOf } from '../citations.ts'
import { failureBody } from '../errors.ts'
import { own, ownFields } from '../parts.ts'
import {
  encodeFinish,
  encodeLogprobs,
  encodePart,
  encodeReported,
  headOf,
  isBroken,
  isRefusal,
  malformed,
} from '../response.ts'
import { soundMimeOf } from '../speech.ts'

type Facts = Omit<Extract<ChatEvent, { type: 'start' }>, 'type'>

/** One answer of the stream. `open`: the part that opened last; `late`: a proof that is told at its end. */
type Choice = {
  open?: Part
  late?: Proof
  text: string
  citations: Citation[]
  finish?: Finish
  broken?: string
  hasRefused: boolean
  rest: Json
}

/** Tells a stream frame by frame. Calls are told whole, as this dialect tells them; the last frame says the end. */
export const encodeEvents = (manner: Manner = {}): Encoder => {
  const notes = noting(own)
  const isArray = manner.form === 'array'
  const choices: Choice[] = []
  let facts: Facts = { id: '', model: '' }
  /** Fields of the whole answer that no frame has told yet. */
  let untold: Json = {}
  let isRefused = false
  let isFirst = true
  let hasEnded = false
  let reported: Reported | undefined
  let bytes = ''

  const write = (frame: Json): void => {
    const json = JSON.stringify(frame)
    bytes += isArray ? `${isFirst ? '[' : ',\n'}${json}` : `data: ${json}\n\n`
    isFirst = false
  }

  const frame = (fields: Json): void => {
    write({ ...fields, modelVersion: facts.model, responseId: facts.id, ...untold })
    untold = {}
  }

  const choiceAt = (index: number): Choice => {
    while (choices.length <= index)
      choices.push({ text: '', citations: [], hasRefused: false, rest: {} })
    return choices[index]!
  }

  const say = (index: number, parts: readonly Json[], more: Json = {}): void =>
    frame({ candidates: [{ content: { parts, role: 'model' }, index, ...more }] })

  const onPart = (index: number, part: Part): void => {
    close(index)
    const choice = choiceAt(index)
    if (part.cache) notes.drop('cache_control')
    choice.open = part.type === 'tool-call' ? { ...part } : part
    if (part.type === 'tool-call') return
    choice.hasRefused ||= isRefusal(part)
    if (part.type === 'text') {
      choice.text = part.text
      choice.citations.push(...(part.citations ?? []))
    }
    // Nothing is said yet: its own fields come with its first words, its proof behind the last.
    const isEmpty = (part.type === 'text' || part.type === 'thinking') && part.text === ''
    choice.late = isEmpty ? part.proof : undefined
    if (isEmpty) return
    const told = encodePart(part, headOf(facts.id, index), notes)
    if (told) say(index, [told], logprobsIn(part.type === 'text' ? part.logprobs : undefined))
    choice.open = withoutExtra(part)
  }

  const onDelta = (index: number, text: string, logprobs?: readonly Logprob[]): void => {
    const choice = choiceAt(index)
    const { open } = choice
    if (open?.type === 'tool-call') open.input += text
    else if (open?.type === 'media')
      say(index, [{ inlineData: { mimeType: soundMimeOf(open.mime), data: text } }])
    else if (open?.type === 'text' || open?.type === 'thinking') {
      if (open.type === 'text') choice.text += text
      const { proof, ...bare } = open
      const told = encodePart({ ...bare, text }, '', notes)
      say(index, [told!], logprobsIn(logprobs))
      choice.open = withoutExtra(open)
    }
  }

  const onProof = (index: number, proof: Proof): void => {
    const { open } = choiceAt(index)
    if (open?.type === 'tool-call') open.proof = proof
    else if (open?.type === 'text' || open?.type === 'thinking')
      say(index, [encodePart({ ...open, text: '', proof }, '', notes)!])
    else notes.drop('signature')
  }

  /** A call is told when nothing more of it can come. */
  const close = (index: number): void => {
    const choice = choiceAt(index)
    const { open, late } = choice
    if (late) onProof(index, late)
    choice.late = undefined
    choice.open = undefined
    if (open?.type !== 'tool-call') return
    if (isBroken(open)) choice.broken = open.input
    else say(index, [encodePart(open, headOf(facts.id, index), notes)!])
  }

  const lastOf = (choice: Choice, index: number): Json => {
    const { finish = { reason: 'stop' }, broken, hasRefused, rest, citations, text } = choice
    const foreign = citations.filter(each => each.raw?.dialect !== own)
    const grounding = groundingOf(foreign, text, notes)
    const { content, ...more } = rest
    return {
      content: { parts: [{ text: '' }], role: 'model', ...content },
      ...encodeFinish(finish, hasRefused, notes),
      ...(broken === undefined ? {} : malformed(broken, finish)),
      index,
      ...(grounding ? { groundingMetadata: grounding } : {}),
      ...more,
    }
  }

  const end = (): void => {
    if (choices.length === 0) choiceAt(0)
    for (const index of choices.keys()) close(index)
    const usageMetadata = encodeReported(reported, facts.tier, notes)
    frame({
      ...(isRefused ? {} : { candidates: choices.map(lastOf) }),
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
    })
    if (isArray) bytes += '\n]'
    hasEnded = true
  }

  const fail = (failure: Failure): void => {
    write(failureBody(failure, ownFields(failure.extra)))
    if (isArray) bytes += '\n]'
    hasEnded = true
  }

  const onRest = (fields: Json): void => {
    untold = { ...untold, ...fields }
    isRefused ||= fields.promptFeedback?.blockReason !== undefined
  }

  const onExtra = ({ choice, index, extra }: Extract<ChatEvent, { type: 'extra' }>): void => {
    notes.dropForeign(extra)
    if (index !== undefined) return
    if (choice !== undefined) Object.assign(choiceAt(choice).rest, ownFields(extra))
    else onRest(ownFields(extra))
  }

  const tell = (event: ChatEvent): void => {
    const index = ('choice' in event ? event.choice : undefined) ?? 0
    if (event.type === 'start') {
      const { type, ...rest } = event
      facts = rest
      reported = event.reported
      notes.dropForeign(event.extra)
      onRest(ownFields(event.extra))
    } else if (event.type === 'part') onPart(index, event.part)
    else if (event.type === 'delta') onDelta(index, event.text, event.logprobs)
    else if (event.type === 'proof') onProof(index, event.proof)
    else if (event.type === 'citation') choiceAt(index).citations.push(event.citation)
    else if (event.type === 'transcript') notes.drop('transcript')
    else if (event.type === 'usage') reported = { ...reported, ...event.reported }
    else if (event.type === 'finish') choiceAt(index).finish = event.finish
    else if (event.type === 'extra') onExtra(event)
    else if (event.type === 'failure') fail(event.failure)
    else if (event.type === 'end') end()
  }

  return {
    push: event => {
      if (hasEnded) return ''
      tell(event)
      const told = bytes
      bytes = ''
      return told
    },
    notes: notes.notes,
  }
}

const withoutExtra = (part: Part): Part => {
  if (!part.extra) return part
  const { extra, ...bare } = part
  return bare
}

const logprobsIn = (logprobs: readonly Logprob[] | undefined): Json =>
  logprobs && logprobs.length > 0 ? { logprobsResult: encodeLogprobs(logprobs) } : {}
