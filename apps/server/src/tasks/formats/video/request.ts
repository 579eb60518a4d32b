import { Fault } from '@hub/contract'
import { isJsonObject, type JsonObject, type VideoRequest } from '@hub/providers'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../relay/context.ts'
import { readBody } from '../../../relay/request/body.ts'
import type { Form } from '../../../relay/request/form.ts'
import { isForm, readForm } from '../../../relay/request/read-form.ts'
import { readCallback, type TaskCallback } from '../../submit/callback-address.ts'

export type ParsedVideo = {
  model: string
  video: VideoRequest
  callback: TaskCallback | undefined
  identity: Buffer
}

const formMax = 32 * 1024 * 1024
const secondsMax = 600
const sideMax = 8_192
const promptMax = 32_768

/** Fields of OpenAI's `/v1/videos` and of New API's `/v1/video/generations`. */
const fields = new Set([
  ...['model', 'prompt', 'seconds', 'duration', 'size', 'width', 'height'],
  ...['input_reference', 'image', 'images', 'last_image', 'n', 'user', 'metadata'],
  'callback_url',
])

/** Reads the request for a video, as JSON or as a form. Throws `request.invalid` with the field that is wrong. */
export const readVideoRequest = async (app: App, context: RequestContext): Promise<ParsedVideo> => {
  const { body, identity } = await readFields(app, context)
  const callback = await readCallback(app, context, 'callback_url', callbackOf(body))
  for (const name of Object.keys(body))
    if (!fields.has(name))
      throw invalid(name, 'is unknown. Put fields of the provider into metadata')
  const model = textAt(body, 'model')
  if (!model) throw invalid('model', 'must be the name of a model')
  if (body.n !== undefined && Number(body.n) !== 1) throw invalid('n', 'must be 1')
  return { model, video: readVideo(body), callback, identity }
}

/** Reads the request for a remix, which has a prompt only. */
export const readRemixRequest = async (
  app: App,
  context: RequestContext,
): Promise<{ prompt: string; identity: Buffer }> => {
  const { body, identity } = await readFields(app, context)
  for (const name of Object.keys(body))
    if (name !== 'prompt') throw invalid(name, 'is unknown. A remix has the fields of its origin')
  return { prompt: readVideo(body).prompt, identity }
}

/** A video with another prompt and the length and size that its origin was asked for with. */
export const remixOf = (prompt: string, origin: JsonObject): VideoRequest => ({
  ...{ prompt, image: undefined, lastImage: undefined, metadata: {} },
  seconds: numberAt(origin, 'seconds', secondsMax),
  width: numberAt(origin, 'width', sideMax),
  height: numberAt(origin, 'height', sideMax),
})

export const readVideo = (body: JsonObject): VideoRequest => {
  const prompt = textAt(body, 'prompt') ?? ''
  if (prompt.length > promptMax) throw invalid('prompt', 'is too long')
  const [image, lastImage] = imagesOf(body)
  if (prompt === '' && image === undefined) throw invalid('prompt', 'must be a text')
  if (body.metadata !== undefined && !isJsonObject(body.metadata))
    throw invalid('metadata', 'must be an object')
  const { width, height } = sizeOf(body)
  return {
    ...{ prompt, image, lastImage, width, height },
    seconds: numberAt(body, body.seconds === undefined ? 'duration' : 'seconds', secondsMax),
    metadata: withoutCallback(body.metadata as JsonObject | undefined),
  }
}

/** Providers name this field alike, so it may also stand among their own. The gateway calls, not the provider. */
const callbackOf = ({ callback_url, metadata }: JsonObject): unknown =>
  callback_url ?? (isJsonObject(metadata) ? metadata.callback_url : undefined)

const withoutCallback = ({ callback_url: _, ...metadata }: JsonObject = {}): JsonObject => metadata

const invalid = (name: string, why: string) =>
  new Fault('request.invalid', { hint: `'${name.slice(0, 100)}' ${why}.` })

type ReadFields = { body: JsonObject; identity: Buffer }

const readFields = async (app: App, context: RequestContext): Promise<ReadFields> => {
  if (isForm(context.request.headers['content-type'])) {
    const form = await readForm(app, context, formMax)
    return { body: await fieldsOf(form), identity: Buffer.from(form.digest) }
  }
  const identity = await readBody(app, context)
  return { body: parseObject(identity), identity }
}

export const parseObject = (bytes: Buffer): JsonObject => {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch (cause) {
    throw new Fault('request.unreadable', { cause })
  }
  if (!isJsonObject(value)) throw new Fault('request.unreadable')
  return value
}

/** A file of the form becomes a data URI, which every vendor takes. */
const fieldsOf = async (form: Form): Promise<JsonObject> => {
  const body: Record<string, unknown> = {}
  for (const part of form.parts) {
    if (part.name in body) throw invalid(part.name, 'is given twice')
    // Clients flatten objects of a form.
    const [, nested] = /^metadata\[([^\]]{1,100})\]$/.exec(part.name) ?? []
    if (part.value && nested !== undefined) {
      body.metadata = { ...(body.metadata as JsonObject), [nested]: typed(part.value.toString()) }
      continue
    }
    if (part.value) {
      const text = part.value.toString()
      body[part.name] = part.name === 'metadata' ? parseObject(part.value) : text
      continue
    }
    const chunks: Buffer[] = []
    for await (const chunk of form.read(part)) chunks.push(chunk)
    const mime = /^image\/(png|jpeg|webp)$/.exec(part.type ?? '')?.[0]
    if (!mime) throw invalid(part.name, 'must be an image in PNG, JPEG or WebP')
    body[part.name] = `data:${mime};base64,${Buffer.concat(chunks).toString('base64')}`
  }
  return body
}

/** Forms have no types. Vendors document their numbers and switches as such. */
const typed = (text: string): unknown =>
  /^(true|false|-?(0|[1-9]\d{0,14})(\.\d{1,14})?)$/.test(text) ? JSON.parse(text) : text

const textAt = (body: JsonObject, name: string): string | undefined => {
  const value = body[name]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalid(name, 'must be a text')
  return value
}

const numberAt = (body: JsonObject, name: string, max: number): number | undefined => {
  const value = body[name]
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'string' ? Number(value) : value
  if (!Number.isSafeInteger(number) || (number as number) < 1 || (number as number) > max)
    throw invalid(name, `must be a whole number from 1 to ${max}`)
  return number as number
}

const sizeOf = (body: JsonObject): Pick<VideoRequest, 'width' | 'height'> => {
  const size = textAt(body, 'size')
  const [, width, height] = /^(\d{2,4})[x*](\d{2,4})$/.exec(size ?? '') ?? []
  if (size !== undefined && height === undefined) throw invalid('size', 'must be like 1280x720')
  const sides = size === undefined ? body : { width, height }
  const both = {
    width: numberAt(sides, 'width', sideMax),
    height: numberAt(sides, 'height', sideMax),
  }
  if ((both.width === undefined) !== (both.height === undefined))
    throw invalid(both.width === undefined ? 'width' : 'height', 'needs the other side, too')
  return both
}

/** The first image and the last one, each an address or a data URI. */
const imagesOf = (body: JsonObject): (string | undefined)[] => {
  const list = body.images
  if (list !== undefined && !Array.isArray(list)) throw invalid('images', 'must be a list')
  const given = [body.input_reference ?? body.image, ...(list ?? [])].filter(
    each => each !== undefined && each !== null && each !== '',
  )
  if (given.length > 2) throw invalid('images', 'may have a first and a last image')
  const [first, last] = given.map(readImage)
  return [first, body.last_image ? readImage(body.last_image) : last]
}

/** https://developers.openai.com/api/reference/resources/videos: a reference may be an object with `image_url`. */
const readImage = (value: unknown): string => {
  const text = isJsonObject(value) ? value.image_url : value
  if (typeof text !== 'string' || !/^(https?:\/\/|data:image\/)/.test(text))
    throw invalid('input_reference', 'must be an https address or a data URI of an image')
  return text
}
