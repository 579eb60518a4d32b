import { tokenCountOf } from '../decode-values.ts'
import type { AnswerSummary, CallerFormat } from '../dialect.ts'
import { isJsonObject, type JsonObject } from '../json/json.ts'
import { type InvalidBody, invalid, literal, readTop } from '../json/read-request.ts'
import { weightedCharsInText } from '../meter.ts'
import { openaiBase } from '../openai-chat/base.ts'
import type { ParsedRequest, ReadResult, RequestPricing } from '../parsed-request.ts'
import { noUsage, type Usage } from '../usage.ts'
import { isInvalid, plainParams, readModel, usageWith } from './read.ts'
import { observeTypedEvents } from './typed-events.ts'

const guarded = ['model', 'file', 'stream', 'response_format'] as const

/**
 * The fewest bytes of one second of audio, by file type, so that a file's size bounds its length. WAV: 4-bit ADPCM at
 * 8 kHz. FLAC: half of that. The others: 8 kbit/s, MP3's lowest bit rate and little above Opus's and AMR's.
 */
const bytesPerSecond: Readonly<Record<string, number>> = {
  wav: 4_000,
  flac: 2_000,
  mp3: 1_000,
  mpga: 1_000,
  mpeg: 1_000,
  mp4: 1_000,
  m4a: 1_000,
  aac: 1_000,
  amr: 1_000,
  ogg: 1_000,
  oga: 1_000,
  opus: 1_000,
  webm: 1_000,
}

/**
 * Bytes of one second of audio as it is usually recorded, for charges without a vendor's count. WAV: 16 bit at 16 kHz. FLAC:
 * half of that. Compressed: 96 kbit/s, Opus and its containers 32 kbit/s, AMR 12.8 kbit/s.
 */
const usualBytesPerSecond: Readonly<Record<string, number>> = {
  wav: 32_000,
  flac: 16_000,
  ogg: 4_000,
  oga: 4_000,
  opus: 4_000,
  webm: 4_000,
  amr: 1_600,
}
const compressedBytesPerSecond = 12_000

/** A minute of audio is about 1,000 tokens, 0.006 USD at 6 USD per million: https://platform.openai.com/docs/pricing */
const audioTokensPerSecond = 17
/** Fast speech has about four words a second, most of which are one token. */
const textTokensPerSecond = 5

/**
 * A second of audio counts as 10/3 tokens where a vendor sells seconds: One Hub's price of whisper-1, 30 USD per million
 * tokens, is then the vendor's 0.006 USD per minute. https://platform.openai.com/docs/pricing
 */
const tokensOfSeconds = (seconds: number): number => Math.ceil((seconds * 10) / 3)

/** Models that are sold by tokens; older ones are sold by the second. */
const soldByTokens = /(^|[/:])gpt-.*-transcribe/

type AudioFile = { filename: string; size: number }

const read = (body: Buffer): ReadResult => {
  const top = readTop(body, guarded)
  if (!top.ok) return top
  const { fieldRanges } = top
  const model = readModel(body, fieldRanges)
  if (isInvalid(model)) return model
  const stream = literal(body, fieldRanges.get('stream')) ?? 'false'
  if (stream !== 'true' && stream !== 'false') return invalid("'stream' must be true or false.")
  const file = readFile(body, fieldRanges)
  if (isInvalid(file)) return file
  const pricing = pricingOf(model, file)
  if (isInvalid(pricing)) return pricing
  const params = { ...plainParams, model, stream: stream === 'true', promptTokens: 0, pricing }
  return { ok: true, parsed: { ...params, fieldRanges, body } }
}

/** Reads the description of the uploaded file that the gateway puts in the place of its bytes. */
const readFile = (body: Buffer, ranges: ParsedRequest['fieldRanges']): AudioFile | InvalidBody => {
  const range = ranges.get('file')
  const files: unknown = range && JSON.parse(body.toString('utf8', range.start, range.end))
  if (!Array.isArray(files)) return invalid("'file' must be an audio file.")
  if (files.length !== 1) return invalid("'file' must be one audio file; send one call for each.")
  const { filename, size } = files[0] as AudioFile
  return size > 0 ? { filename, size } : invalid("'file' is empty.")
}

const pricingOf = (model: string, { filename, size }: AudioFile): RequestPricing | InvalidBody => {
  const type = /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const perSecond = bytesPerSecond[type]
  if (perSecond === undefined || !Object.hasOwn(bytesPerSecond, type))
    return invalid(
      `The name of 'file' must end in ${Object.keys(bytesPerSecond).join(', ')}: its type bounds the price.`,
    )
  const seconds = Math.ceil(size / perSecond)
  const usualSeconds = Math.ceil(size / (usualBytesPerSecond[type] ?? compressedBytesPerSecond))
  const prompt = usageWith({ audioInput: audioTokens(model, Math.min(seconds, usualSeconds)) })
  const max = usageWith({ audioInput: audioTokens(model, seconds) })
  if (soldByTokens.test(model)) max.output = seconds * textTokensPerSecond
  return { max, prompt, isExact: false, units: 1 }
}

const audioTokens = (model: string, seconds: number): number =>
  soldByTokens.test(model) ? seconds * audioTokensPerSecond : tokensOfSeconds(seconds)

/** https://platform.openai.com/docs/api-reference/audio/json-object */
const decodeUsage = (value: unknown): Usage | 'broken' => {
  if (!isJsonObject(value)) return 'broken'
  if (value.seconds !== undefined) return usageOfSeconds(value.seconds)
  if (value.prompt_tokens !== undefined) return openaiBase.decodeUsage(value)
  const details = isJsonObject(value.input_token_details) ? value.input_token_details : {}
  const all = tokenCountOf(value.input_tokens)
  const text = tokenCountOf(details.text_tokens) ?? 0
  const output = tokenCountOf(value.output_tokens) ?? 0
  if (all === undefined || Number.isNaN(all + text + output)) return 'broken'
  const input = Math.min(text, all)
  return { ...noUsage(), input, audioInput: all - input, output }
}

const secondsMax = 1_000_000

const usageOfSeconds = (seconds: unknown): Usage | 'broken' =>
  typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax
    ? usageWith({ audioInput: tokensOfSeconds(seconds) })
    : 'broken'

/** An answer is JSON, or plain text, SubRip or WebVTT, by the caller's `response_format`. */
const readAnswer = (body: Buffer, contentType = ''): AnswerSummary => {
  const json = parseObject(body)
  if (json && (typeof json.text !== 'string' || hasError(json))) return { ok: false, failure: json }
  if (json) return readJson(json, json.text as string)
  if (!isText(contentType)) return { ok: false, failure: undefined }
  return textAnswer(textOfCues(body.toString()))
}

const hasError = ({ error }: JsonObject) => error !== undefined && error !== null

const readJson = ({ usage, duration }: JsonObject, text: string): AnswerSummary => {
  if (usage !== undefined && usage !== null)
    return { ok: true, usage: decodeUsage(usage), meteredTokens: 0 }
  // Vendors without a usage object tell the length in `verbose_json`, some of them as text.
  const seconds = typeof duration === 'string' ? Number(duration) : duration
  if (typeof seconds === 'number')
    return { ok: true, usage: usageOfSeconds(seconds), meteredTokens: 0 }
  return textAnswer(text)
}

/** One Hub's count where the vendor reports none: the tokens of the returned text. */
const textAnswer = (text: string): AnswerSummary => ({
  ok: true,
  usage: undefined,
  meteredTokens: Math.ceil(weightedCharsInText(text) / 4),
})

const parseObject = (body: Buffer): JsonObject | undefined => {
  if (body[0] !== 0x7b) return undefined
  try {
    const value: unknown = JSON.parse(body.toString())
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Some vendors label text as JSON. A page of a proxy is no transcript. */
const isText = (type: string) => !/^text\/html|^application\/xhtml/i.test(type)

/** The text of SubRip and WebVTT, without numbers and times of the cues. */
const textOfCues = (text: string): string =>
  text.includes('-->') ? text.replace(/^(WEBVTT.*|\d+|.*-->.*)\r?$/gm, '').trim() : text

/** The last event as a vendor sends it that streams. */
const splitAnswer = (body: Buffer): Buffer => {
  const { text = '', usage } = parseObject(body) ?? {}
  const event = { type: 'transcript.text.done', text, ...(usage === undefined ? {} : { usage }) }
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`)
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription and createTranslation */
export const openaiTranscriptions: CallerFormat = {
  ...openaiBase,
  id: 'openai',
  read,
  decodeUsage,
  observeStream: () =>
    observeTypedEvents({ final: ['transcript.text.done'], text: 'delta', decodeUsage }),
  readAnswer,
  answersText: true,
  splitAnswer,
}
