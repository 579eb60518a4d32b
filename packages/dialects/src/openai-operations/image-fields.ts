import type { CallerFormat } from '../dialect.ts'
import type { Json } from '../json/json.ts'
import { type InvalidBody, invalid, wholeNumber } from '../json/read-request.ts'
import { openaiBase } from '../openai-chat/base.ts'
import type { ByteRange, ParsedRequest } from '../parsed-request.ts'
import { decodeImageUsage } from './image-pricing.ts'
import { answerReader, isInvalid, readFlag, readText } from './read.ts'
import { observeTypedEvents } from './typed-events.ts'

export type Fields = ReadonlyMap<string, ByteRange>

/** One Hub's default. */
export const defaultImageModel = 'dall-e-2'
const imagesMax = 100
const partialImagesMax = 3

type ImageOutput = {
  n: number
  size: string | undefined
  quality: string | undefined
  style: string | undefined
  stream: boolean
  partialImages: number
  imageForm: NonNullable<ParsedRequest['imageForm']> | undefined
}

/** Reads the fields that decide how many images are made, and how. Some vendors have another name for `n`. */
export const readImageOutput = (
  body: Buffer,
  fields: Fields,
  countFields: readonly string[],
): ImageOutput | InvalidBody => {
  const counts = countFields.map(key => wholeNumber(body, fields.get(key), 1, imagesMax) ?? 1)
  if (counts.includes('wrong')) return invalid(`'n' must be a whole number from 1 to ${imagesMax}.`)
  const size = readText(body, fields, 'size')
  if (isInvalid(size)) return size
  const quality = readText(body, fields, 'quality')
  if (isInvalid(quality)) return quality
  const style = readText(body, fields, 'style')
  if (isInvalid(style)) return style
  const stream = readFlag(body, fields, 'stream')
  if (isInvalid(stream)) return stream
  const partialImages = wholeNumber(body, fields.get('partial_images'), 0, partialImagesMax) ?? 0
  if (partialImages === 'wrong')
    return invalid(`'partial_images' must be a whole number from 0 to ${partialImagesMax}.`)
  const format = readText(body, fields, 'response_format')
  if (isInvalid(format)) return format
  // https://platform.openai.com/docs/api-reference/images-streaming
  if (stream && format === 'url')
    return invalid("'response_format' must be 'b64_json' with 'stream': its events have no links.")
  const imageForm = imageFormOf(format)
  const n = Math.max(...(counts as number[]))
  return { n, size, quality, style, stream, partialImages, imageForm }
}

const imageFormOf = (format: string | undefined): ImageOutput['imageForm'] => {
  if (format === undefined) return undefined
  return format === 'url' || format === 'b64_json' ? format : 'unknown'
}

/** The answer of every image operation. */
export const imageAnswer = {
  ...openaiBase,
  id: 'openai',
  decodeUsage: (usage: unknown) => decodeImageUsage(usage) ?? 'broken',
  readAnswer: answerReader({ list: 'data', decodeUsage: decodeImageUsage }),
} as const

/** Streams end with one event of this type per image: https://platform.openai.com/docs/api-reference/images-streaming */
export const imageStream = (
  type: string,
): Required<Pick<CallerFormat, 'observeStream' | 'splitAnswer'>> => ({
  observeStream: () => observeTypedEvents({ final: [type], decodeUsage: decodeImageUsage }),
  // Writes the events of a stream without partial images.
  splitAnswer: body => {
    const { data, created, ...rest } = JSON.parse(body.toString()) as Json
    const events = (data as Json[]).map(image => ({ type, ...image, ...rest, created_at: created }))
    const frames = events.map(each => `event: ${type}\ndata: ${JSON.stringify(each)}\n\n`)
    return Buffer.from(frames.join(''))
  },
})
