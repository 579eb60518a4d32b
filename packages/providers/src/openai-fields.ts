import type { Json } from '@hub/dialects'
import { z } from 'zod'
import type { ChannelOptions, Refusal } from './operation-translation.ts'

/** Fields of OpenAI's images that ask for more than a vendor may have. */
export type ImageSupport = {
  /** Images of one call; absent for one. */
  countMax?: number
  /** Values of `output_format`; absent: the vendor chooses it. */
  formats?: readonly string[]
}

/** Fields that change how an image looks, and not what it shows. */
const preferences = ['quality', 'style', 'moderation', 'user'] as const

type ImageRequest = {
  /** The fields that are not listed in `preferences`, without `n`. */
  fields: Json
  n: number
  dropped: string[]
}

/**
 * Reads OpenAI's image fields. Refuses those without which the answer would be another one. The gateway itself obeys
 * `response_format`.
 */
export const readImageRequest = (
  request: Record<string, unknown>,
  { countMax = 1, formats }: ImageSupport,
): ImageRequest | Refusal => {
  const { n, stream: _stream, partial_images: _partial, ...rest } = request as Json
  const fields: Json = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => isGiven(value)),
  )
  const count = n ?? 1
  if (count > countMax)
    return { refused: `'n' must be ${countMax === 1 ? 1 : `at most ${countMax}`} for this model.` }
  if (fields.background === 'transparent')
    return { refused: "'background' must not be 'transparent' for this model." }
  if (isGiven(fields.output_compression))
    return { refused: "'output_compression' is not supported by this model; leave it out." }
  if (isGiven(fields.output_format) && !formats?.includes(fields.output_format))
    return {
      refused: formats
        ? `'output_format' must be one of ${formats.join(', ')} for this model.`
        : "'output_format' is not supported by this model; leave it out.",
    }
  delete fields.background
  const dropped = preferences.filter(key => key in fields)
  for (const key of dropped) delete fields[key]
  return { fields, n: count, dropped }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Sizes of OpenAI differ from the ratio that they stand for: 1792x1024 is 7:4, and is drawn as 16:9. */
const tolerance = 0.03

/**
 * The aspect ratio of a size such as `1024x1024`, for vendors that know no pixels. Undefined for `auto` and an absent size.
 */
export const aspectRatioOf = (
  size: unknown,
  ratios: readonly string[],
): string | undefined | Refusal => {
  if (size === undefined || size === 'auto') return undefined
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? []
  const aspect = Number(width) / Number(height)
  const distance = (ratio: string) => {
    const [across = 1, down = 1] = ratio.split(':').map(Number)
    return Math.abs(Math.log(aspect) - Math.log(across / down))
  }
  const nearest = ratios.toSorted((a, b) => distance(a) - distance(b))[0]
  if (nearest !== undefined && distance(nearest) <= tolerance) return nearest
  return {
    refused: `'size' must be 'auto' or have one of the ratios ${ratios.join(', ')} for this model.`,
  }
}

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value

/** A body that should be a JSON object. */
export const parseObject = (body: Buffer): Json | undefined => {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const voiceNames = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'] as const
type VoiceName = (typeof voiceNames)[number]

/** The option `voice` of One Hub: a voice of the vendor for each of OpenAI's first six. */
export const voiceOptions = (defaults: Readonly<Record<VoiceName, string>>) =>
  z.object({
    voice: z
      .object(
        Object.fromEntries(
          voiceNames.map(name => [
            name,
            z.string().trim().optional().meta({ label: name, placeholder: defaults[name] }),
          ]),
        ),
      )
      .optional(),
  })

/** Fields of OpenAI's speech that a vendor has in other words. */
export type SpeechSupport = {
  voices: Readonly<Record<VoiceName, string>>
  /** The vendor's word for each `response_format`. The first is the default. */
  formats: Readonly<Record<string, string>>
  speed: { min: number; max: number }
}

type SpeechRequest = {
  input: string
  /** The vendor's name of the voice, and its role or emotion: the text after a `|` in the channel's option. */
  voice: string
  style: string | undefined
  format: string
  speed: number
  /** Fields that OpenAI does not have. */
  unknownFields: Json
  dropped: string[]
}

const rangeText = ({ min, max }: SpeechSupport['speed']): string =>
  min === max ? String(min) : `a number from ${min} to ${max}`

/** Reads OpenAI's speech fields. A voice that is none of OpenAI's first six is the vendor's own. */
export const readSpeechRequest = (
  request: Record<string, unknown>,
  options: ChannelOptions,
  { voices, formats, speed: range }: SpeechSupport,
): SpeechRequest | Refusal => {
  const { input, voice, response_format, speed: given, instructions, ...rest } = request as Json
  const { model: _model, stream_format: _streamed, ...unknownFields } = rest
  if (typeof voice !== 'string' || voice === '')
    return { refused: "'voice' must be the name of a voice." }
  const speed = given ?? 1
  if (typeof speed !== 'number' || !(speed >= range.min && speed <= range.max))
    return { refused: `'speed' must be ${rangeText(range)} for this model.` }
  const word = response_format ?? Object.keys(formats)[0]!
  if (typeof word !== 'string' || !Object.hasOwn(formats, word))
    return {
      refused: `'response_format' must be one of ${Object.keys(formats).join(', ')} for this model.`,
    }
  const mapped = options.voice?.[voice] || voices[voice as VoiceName] || voice
  const [name = '', style] = String(mapped).split('|')
  const dropped = isGiven(instructions) ? ['instructions'] : []
  return { input, voice: name, style, format: formats[word]!, speed, unknownFields, dropped }
}
