import type { ChatEvent, UnknownFields } from '../canon.ts'
import { choiceIndex } from '../choices.ts'
import type { StreamDecoder } from '../dialect.ts'
import { dataTemplate } from '../framing/data-template.ts'
import type { Json } from '../json.ts'
import { listOf, unknownFieldsOf } from '../unknown-fields.ts'
import { decodeFault } from './fault.ts'
import { decodeCall, decodeCitation, proofIn } from './message/calls.ts'
import { decodeContent, decodeSound, textOf } from './message/content.ts'
import { finishOf } from './message/finish.ts'
import { messageKeys, thoughtOf } from './message/message.ts'
import { decodeDetail } from './message/reasoning.ts'
import { choiceKeys, decodeLogprob, replyKeys, reportedOf } from './reply.ts'
import { type Voice, voiceOf } from './stream/voice.ts'

export { encodeEvents } from './stream/encode.ts'

const own = 'openai-chat'
const textKeys = ['content', 'reasoning_content', 'reasoning']

// https://platform.openai.com/docs/api-reference/chat-streaming
export const decodeFrames = (hand: (event: ChatEvent) => void): StreamDecoder => {
  const template = dataTemplate()
  /** What was heard in the frame: how many events, and the last of them. */
  let events = 0
  let last: ChatEvent | undefined
  const voices: Voice[] = []
  let id = ''
  let hasStarted = false
  const words: string[] = []
  let isOver = false
  let garbage = 0
  let usage: Json
  /** What came before the answer had a name. */
  let early: UnknownFields | undefined
  /** The last of each extra field, as text: some vendors repeat them in every chunk. */
  const told = new Map<string, string>()

  const emit = (event: ChatEvent): void => {
    events += 1
    last = event
    hand(event)
  }

  const start = (chunk: Json): void => {
    hasStarted = true
    id = textOf(chunk.id)
    const event: ChatEvent = { type: 'start', id, model: textOf(chunk.model) }
    if (typeof chunk.created === 'number') event.createdAt = chunk.created
    if (typeof chunk.service_tier === 'string') event.tier = chunk.service_tier
    if (early) event.unknownFields = early
    emit(event)
  }

  const tell = (unknownFields: UnknownFields | undefined, choice: number | undefined): void => {
    if (!unknownFields) return
    if (!hasStarted) {
      early = { dialect: own, fields: { ...early?.fields, ...unknownFields.fields } }
      return
    }
    let isNews = false
    for (const key in unknownFields.fields) {
      const place = `${choice ?? ''}.${key}`
      const text = JSON.stringify(unknownFields.fields[key])
      isNews ||= told.get(place) !== text
      told.set(place, text)
    }
    if (isNews)
      emit(
        choice === undefined
          ? { type: 'unknown-fields', unknownFields }
          : { type: 'unknown-fields', choice, unknownFields },
      )
  }

  const hearChoice = (choice: Json): void => {
    const at = choiceIndex(choice.index, 0)
    voices[at] ??= voiceOf(at === 0 ? undefined : at, id, emit)
    const voice = voices[at]
    const delta = choice.delta ?? choice.message
    if (delta) hearDelta(delta, choice.logprobs, voice)
    tell(unknownFieldsOf(choice, choiceKeys, own), at)
    if (delta) {
      const more = unknownFieldsOf(delta, messageKeys, own)
      if (more) tell({ dialect: own, fields: { message: more.fields } }, at)
    }
    if (choice.usage) usage = choice.usage
    const word = choice.finish_reason
    if (typeof word !== 'string' || word === '') return
    // Some vendors say it in every chunk: the last one counts.
    words[at] = word
  }

  const finish = (word: string, at: number): void => {
    const finish = finishOf(word, voices[at]!.hasCalls())
    emit(at === 0 ? { type: 'finish', finish } : { type: 'finish', choice: at, finish })
  }

  const over = (event: ChatEvent): void => {
    isOver = true
    for (const voice of voices) voice?.flush()
    if (event.type === 'end') for (const at in words) finish(words[at]!, Number(at))
    if (usage) emit({ type: 'usage', reportedUsage: reportedOf(usage) })
    emit(event)
  }

  const fail = (data: string): void =>
    over({
      type: 'failure',
      failure: {
        ...decodeFault(Buffer.from(data)),
        unknownFields: { dialect: own, fields: { body: data } },
      },
    })

  /** Frames behind one that said but a piece of text, in its delta: all else that they say was heard with it. */
  const learn = (data: string, { choices }: Json): void => {
    const delta = choices?.[0]?.delta
    if (!delta || events !== 1 || last?.type !== 'delta' || last.logprobs) return
    const { text } = last
    // Details tell the same thoughts, and count before these.
    const keys = delta.reasoning_details ? ['content'] : textKeys
    const key = keys.find(each => delta[each] === text)
    if (key) template.learn(data, key, text)
  }

  /** A frame like the one before it. */
  const sayMore = (text: string): void => {
    const { choice, index } = last as ChatEvent & { type: 'delta' }
    emit(
      choice === undefined
        ? { type: 'delta', index, text }
        : { type: 'delta', choice, index, text },
    )
  }

  return {
    pushFrame: (data, event) => {
      if (isOver) return
      const text = template.textIn(event === '' ? data : '')
      if (text !== '') return sayMore(text)
      events = 0
      if (data.charCodeAt(0) === 0x5b && data.trim() === '[DONE]') {
        if (!hasStarted) start({})
        over({ type: 'end' })
        return
      }
      const chunk = parse(data)
      if (chunk === undefined) {
        garbage += 1
        return
      }
      if (isError(chunk, event)) return fail(data)
      const { choices } = chunk
      // Some vendors send frames about the prompt before the answer has a name.
      if (!hasStarted && (textOf(chunk.id) !== '' || choices?.length > 0)) start(chunk)
      if (Array.isArray(choices)) for (const choice of choices) if (choice) hearChoice(choice)
      if (chunk.usage) usage = chunk.usage
      tell(unknownFieldsOf(chunk, replyKeys, own), undefined)
      learn(data, chunk)
    },
    end: () => {
      if (isOver) return
      if (words.length > 0) return over({ type: 'end' })
      const message = 'The stream ended before the answer was whole.'
      over({ type: 'failure', failure: { message, type: 'stream_broken', code: '' } })
    },
    malformedFrames: () => garbage,
  }
}

const parse = (data: string): Json => {
  try {
    const value: Json = JSON.parse(data)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isError = (chunk: Json, event: string): boolean =>
  (chunk.error !== undefined && chunk.error !== null && chunk.error !== '') ||
  chunk.object === 'error' ||
  event === 'error'

const hearDelta = (delta: Json, logprobs: Json, voice: Voice): void => {
  hearThoughts(delta, voice)
  const { content } = delta
  if (typeof content === 'string') {
    if (content !== '' || logprobs) hearText(content, logprobs, voice)
  } else if (Array.isArray(content)) for (const each of content) hearContent(each, voice)
  if (typeof delta.refusal === 'string' && delta.refusal !== '')
    voice.text(delta.refusal, true, logprobs && listOf(logprobs.refusal).map(decodeLogprob))
  if (delta.annotations)
    for (const each of listOf(delta.annotations)) voice.cite(decodeCitation(each))
  if (delta.images) for (const image of listOf(delta.images)) voice.part(decodeContent(image))
  if (delta.audio) voice.sound(decodeSound(delta.audio))
  if (delta.tool_calls)
    for (const call of listOf(delta.tool_calls))
      voice.call(typeof call?.index === 'number' ? call.index : undefined, decodeCall(call))
  if (delta.function_call) voice.call(0, decodeCall({ function: delta.function_call }))
  const signature = proofIn(delta)
  if (signature) voice.prove(signature)
}

const hearText = (text: string, logprobs: Json, voice: Voice): void => {
  const said = logprobs?.content
  if (Array.isArray(said) && said.length > 0) voice.text(text, false, said.map(decodeLogprob))
  else if (text !== '') voice.text(text, false, undefined)
}

const hearContent = (part: Json, voice: Voice): void => {
  if (part?.type === 'text') hearText(textOf(part.text), undefined, voice)
  else if (part?.type === 'thinking') voice.thought(thoughtOf(part.thinking), undefined)
  else voice.part(decodeContent(part))
}

const hearThoughts = (delta: Json, voice: Voice): void => {
  const text = textOf(delta.reasoning_content ?? delta.reasoning)
  const details = delta.reasoning_details
  if (!Array.isArray(details) || details.length === 0) {
    if (text !== '') voice.thought(text, undefined)
    return
  }
  const parts = details.map(decodeDetail)
  if (text !== '' && parts.every(part => part.text === '')) voice.thought(text, undefined)
  for (const part of parts) {
    if (part.redacted) voice.part(part)
    else if (part.text !== '' || part.signature) voice.thought(part.text, part.signature)
  }
}
