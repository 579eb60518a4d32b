import type {
  ChatEvent,
  Citation,
  Failure,
  Finish,
  Logprob,
  Part,
  ReportedUsage,
  Signature,
} from '../../canon.ts'
import type { EncodeOptions, StreamEncoder } from '../../dialect.ts'
import type { Json } from '../../json/json.ts'
import { warningCollector } from '../../warnings.ts'
import { groundingOf } from '../citations.ts'
import { failureBody } from '../errors.ts'
import { dialectId, ownFields } from '../parts.ts'
import {
  callIdPrefix,
  encodeFinish,
  encodeLogprobs,
  encodePart,
  encodeReported,
  hasInvalidInput,
  isRefusal,
  malformedCallFinish,
} from '../response.ts'
import { audioMimeOf } from '../speech.ts'

type StreamHead = Omit<Extract<ChatEvent, { type: 'start' }>, 'type'>

/** State of one choice. `open` is the last part; `late` is a signature to send at its end. */
type EncodedChoice = {
  open?: Part
  late?: Signature
  text: string
  citations: Citation[]
  finish?: Finish
  broken?: string
  hasRefused: boolean
  rest: Json
}

/** Encodes a stream. Calls are sent whole, and the last frame carries the finish reasons. */
export const encodeEvents = (options: EncodeOptions = {}): StreamEncoder => {
  const warnings = warningCollector(dialectId)
  const isArray = options.streamFormat === 'array'
  const choices: EncodedChoice[] = []
  let facts: StreamHead = { id: '', model: '' }
  /** Response fields that no frame has sent yet. */
  let pendingFields: Json = {}
  let isRefused = false
  let isFirst = true
  let hasEnded = false
  let reportedUsage: ReportedUsage | undefined
  let bytes = ''

  const write = (frame: Json): void => {
    const json = JSON.stringify(frame)
    bytes += isArray ? `${isFirst ? '[' : ',\n'}${json}` : `data: ${json}\n\n`
    isFirst = false
  }

  const frame = (fields: Json): void => {
    write({ ...fields, modelVersion: facts.model, responseId: facts.id, ...pendingFields })
    pendingFields = {}
  }

  const choiceAt = (index: number): EncodedChoice => {
    while (choices.length <= index)
      choices.push({ text: '', citations: [], hasRefused: false, rest: {} })
    return choices[index]!
  }

  const say = (index: number, parts: readonly Json[], more: Json = {}): void =>
    frame({ candidates: [{ content: { parts, role: 'model' }, index, ...more }] })

  const onPart = (index: number, part: Part): void => {
    close(index)
    const choice = choiceAt(index)
    if (part.cache) warnings.warnDropped('cache_control')
    choice.open = part.type === 'tool-call' ? { ...part } : part
    if (part.type === 'tool-call') return
    choice.hasRefused ||= isRefusal(part)
    if (part.type === 'text') {
      choice.text = part.text
      choice.citations.push(...(part.citations ?? []))
    }
    // An empty part sends its fields with the first text and its signature after the last.
    const isEmpty = (part.type === 'text' || part.type === 'thinking') && part.text === ''
    choice.late = isEmpty ? part.signature : undefined
    if (isEmpty) return
    const encoded = encodePart(part, callIdPrefix(facts.id, index), warnings)
    if (encoded) say(index, [encoded], logprobsIn(part.type === 'text' ? part.logprobs : undefined))
    choice.open = withoutExtra(part)
  }

  const onDelta = (index: number, text: string, logprobs?: readonly Logprob[]): void => {
    const choice = choiceAt(index)
    const { open } = choice
    if (open?.type === 'tool-call') open.input += text
    else if (open?.type === 'media')
      say(index, [{ inlineData: { mimeType: audioMimeOf(open.mime), data: text } }])
    else if (open?.type === 'text' || open?.type === 'thinking') {
      if (open.type === 'text') choice.text += text
      const { signature, ...bare } = open
      const encoded = encodePart({ ...bare, text }, '', warnings)
      say(index, [encoded!], logprobsIn(logprobs))
      choice.open = withoutExtra(open)
    }
  }

  const onProof = (index: number, signature: Signature): void => {
    const { open } = choiceAt(index)
    if (open?.type === 'tool-call') open.signature = signature
    else if (open?.type === 'text' || open?.type === 'thinking')
      say(index, [encodePart({ ...open, text: '', signature }, '', warnings)!])
    else warnings.warnDropped('signature')
  }

  /** A call is sent when its part is complete. */
  const close = (index: number): void => {
    const choice = choiceAt(index)
    const { open, late } = choice
    if (late) onProof(index, late)
    choice.late = undefined
    choice.open = undefined
    if (open?.type !== 'tool-call') return
    if (hasInvalidInput(open)) choice.broken = open.input
    else say(index, [encodePart(open, callIdPrefix(facts.id, index), warnings)!])
  }

  const lastOf = (choice: EncodedChoice, index: number): Json => {
    const { finish = { reason: 'stop' }, broken, hasRefused, rest, citations, text } = choice
    const foreign = citations.filter(each => each.raw?.dialect !== dialectId)
    const grounding = groundingOf(foreign, text, warnings)
    const { content, ...more } = rest
    return {
      content: { parts: [{ text: '' }], role: 'model', ...content },
      ...encodeFinish(finish, hasRefused, warnings),
      ...(broken === undefined ? {} : malformedCallFinish(broken, finish)),
      index,
      ...(grounding ? { groundingMetadata: grounding } : {}),
      ...more,
    }
  }

  const end = (): void => {
    if (choices.length === 0) choiceAt(0)
    for (const index of choices.keys()) close(index)
    const usageMetadata = encodeReported(reportedUsage, facts.tier, warnings)
    frame({
      ...(isRefused ? {} : { candidates: choices.map(lastOf) }),
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
    })
    if (isArray) bytes += '\n]'
    hasEnded = true
  }

  const fail = (failure: Failure): void => {
    write(failureBody(failure, ownFields(failure.unknownFields)))
    if (isArray) bytes += '\n]'
    hasEnded = true
  }

  const onRest = (fields: Json): void => {
    pendingFields = { ...pendingFields, ...fields }
    isRefused ||= fields.promptFeedback?.blockReason !== undefined
  }

  const onExtra = ({
    choice,
    index,
    unknownFields,
  }: Extract<ChatEvent, { type: 'unknown-fields' }>): void => {
    warnings.warnForeignFields(unknownFields)
    if (index !== undefined) return
    if (choice !== undefined) Object.assign(choiceAt(choice).rest, ownFields(unknownFields))
    else onRest(ownFields(unknownFields))
  }

  const encode = (event: ChatEvent): void => {
    const index = ('choice' in event ? event.choice : undefined) ?? 0
    if (event.type === 'start') {
      const { type, ...rest } = event
      facts = rest
      reportedUsage = event.reportedUsage
      warnings.warnForeignFields(event.unknownFields)
      onRest(ownFields(event.unknownFields))
    } else if (event.type === 'part') onPart(index, event.part)
    else if (event.type === 'delta') onDelta(index, event.text, event.logprobs)
    else if (event.type === 'signature') onProof(index, event.signature)
    else if (event.type === 'citation') choiceAt(index).citations.push(event.citation)
    else if (event.type === 'transcript') warnings.warnDropped('transcript')
    else if (event.type === 'usage') reportedUsage = { ...reportedUsage, ...event.reportedUsage }
    else if (event.type === 'finish') choiceAt(index).finish = event.finish
    else if (event.type === 'unknown-fields') onExtra(event)
    else if (event.type === 'failure') fail(event.failure)
    else if (event.type === 'end') end()
  }

  return {
    push: event => {
      if (hasEnded) return ''
      encode(event)
      const encoded = bytes
      bytes = ''
      return encoded
    },
    warnings: warnings.list,
  }
}

const withoutExtra = (part: Part): Part => {
  if (!part.unknownFields) return part
  const { unknownFields, ...bare } = part
  return bare
}

const logprobsIn = (logprobs: readonly Logprob[] | undefined): Json =>
  logprobs && logprobs.length > 0 ? { logprobsResult: encodeLogprobs(logprobs) } : {}
