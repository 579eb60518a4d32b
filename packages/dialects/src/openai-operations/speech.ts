import { tokenCountOf } from '../decode-values.ts'
import type { AnswerSummary, CallerFormat, StreamObserver } from '../dialect.ts'
import { isJsonObject } from '../json/json.ts'
import { invalid, readTop } from '../json/read-request.ts'
import { openaiBase } from '../openai-chat/base.ts'
import type { ParsedRequest, ReadResult, RequestPricing } from '../parsed-request.ts'
import { noUsage, type Usage } from '../usage.ts'
import { makeAudioMeter } from './audio-meter.ts'
import { isInvalid, plainParams, readModel, readText, usageWith } from './read.ts'
import { observeTypedEvents } from './typed-events.ts'

const guarded = ['model', 'input', 'instructions', 'response_format', 'stream_format'] as const

const read = (body: Buffer): ReadResult => {
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges } = top
  const model = readModel(body, fieldRanges)
  if (isInvalid(model)) return model
  const input = readText(body, fieldRanges, 'input')
  if (isInvalid(input)) return input
  if (!input) return invalid("'input' must be the text to speak.")
  const instructions = readText(body, fieldRanges, 'instructions') ?? ''
  if (isInvalid(instructions)) return instructions
  const format = readText(body, fieldRanges, 'stream_format') ?? 'audio'
  if (format !== 'audio' && format !== 'sse')
    return invalid("'stream_format' must be 'audio' or 'sse'.")
  const pricing = pricingOf(model, input, instructions)
  const stream = format === 'sse'
  const promptTokens = pricing.max.input
  return {
    ok: true,
    parsed: { ...plainParams, model, stream, promptTokens, pricing, fieldRanges, body },
  }
}

/** Sold by tokens of text and audio; older models are sold by the character, which counts as one token. */
const soldByTokens = /^(gpt|gemini)-.*-tts/

const bytesPerToken = 3
/**
 * A minute of speech is about 1,250 tokens of audio (https://platform.openai.com/docs/pricing: 0.015 USD at 12 USD per
 * million) and about 900 bytes of text, in English as in Chinese.
 */
const audioTokensPerByte = 1.5
/** Slow speech, which the instructions may ask for. */
const audioTokensPerByteMax = 3

const pricingOf = (model: string, input: string, instructions: string): RequestPricing => {
  if (!soldByTokens.test(model)) {
    const characters = usageWith({ input: [...input].length })
    return { max: characters, unreported: characters, isExact: true, units: 1 }
  }
  const bytes = Buffer.byteLength(input)
  const text = Math.ceil((bytes + Buffer.byteLength(instructions)) / bytesPerToken)
  const usage = (perByte: number) =>
    usageWith({ input: text, audioOutput: Math.ceil(bytes * perByte) })
  return {
    max: usage(audioTokensPerByteMax),
    unreported: usage(audioTokensPerByte),
    isPromptCounted: true,
    isExact: false,
    units: 1,
  }
}

/** https://platform.openai.com/docs/api-reference/audio/speech-audio-done-event */
const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  const input = tokenCountOf(value.input_tokens) ?? 0
  const audioOutput = tokenCountOf(value.output_tokens) ?? 0
  return Number.isNaN(input + audioOutput) ? 'broken' : { ...noUsage(), input, audioOutput }
}

/** A whole answer is audio, so a text is an error. */
const readAnswer = (body: Buffer, contentType = ''): AnswerSummary => {
  if (contentType.startsWith('application/json'))
    return { ok: false, failure: JSON.parse(body.toString()) }
  if (contentType.startsWith('text/')) return { ok: false, failure: undefined }
  return { ok: true, usage: undefined, meteredTokens: 0 }
}

const audioTokensPerSecond = 1_250 / 60

/** Counts the tokens of speech in the bytes of a file that is sold by tokens; undefined for any other. */
export const meterSpeech = ({
  body,
  fieldRanges,
  pricing,
}: Pick<ParsedRequest, 'body' | 'fieldRanges' | 'pricing'>):
  | { push(bytes: Uint8Array): void; tokens(): number }
  | undefined => {
  if (!pricing?.unreported?.audioOutput || pricing.isExact) return undefined
  const format = readText(body, fieldRanges, 'response_format')
  const meter = makeAudioMeter(typeof format === 'string' ? format : 'mp3')
  return { push: meter.push, tokens: () => Math.ceil(meter.seconds() * audioTokensPerSecond) }
}

const observeStream = (parsed: ParsedRequest): StreamObserver => {
  const meter = meterSpeech(parsed)
  const final = ['speech.audio.done']
  if (!meter) return observeTypedEvents({ final, decodeUsage })
  const { push, tokens } = meter
  const audio = {
    field: 'audio',
    push: (base64: string) => push(Buffer.from(base64, 'base64')),
    tokens,
  }
  return observeTypedEvents({ final, audio, decodeUsage })
}

/** https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const openaiSpeech: CallerFormat = {
  ...openaiBase,
  id: 'openai',
  read,
  decodeUsage,
  observeStream,
  readAnswer,
  answersBytes: true,
}
