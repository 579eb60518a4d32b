import { Fault } from '@hub/contract'
import type { ImageForm, ParsedRequest } from '@hub/dialects'
import type { Endpoint } from '@hub/providers'
import type { App } from '../../core/app.ts'
import { type FetchFailure, fetchGuarded } from '../../lib/http/fetch-guarded.ts'
import { fileTypeOf } from '../../lib/http/file-type.ts'
import type { CallContext } from '../context.ts'
import { reserveBytes } from '../request/body.ts'
import type { SaveResponse } from '../response/delivery.ts'
import { fetchRules } from '../upstream/linked-files.ts'
import { storeImage } from './images.ts'
import { storesResults } from './save.ts'

const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
const fileMax = 20 * 1024 * 1024
const fetchTimeoutMs = 20_000

/** Throws where the vendor gives images in another form, and the gateway cannot convert them. */
export const checkImageForm = (
  app: App,
  { imageForm: requested }: ParsedRequest,
  { imageForm: given }: Endpoint,
): void => {
  if (!given || requested === given) return
  if (requested === 'unknown')
    throw new Fault('request.invalid', { hint: "'response_format' must be 'url' or 'b64_json'." })
  if (requested === 'url' && !storesResults(app))
    throw new Fault('request.invalid', {
      hint: "'response_format' must be 'b64_json' for this model: its provider gives no links. To give links, an operator sets `TaskCopyDays` above 0, so that results are stored here.",
    })
}

type Image = Record<string, unknown> & { url?: unknown; b64_json?: unknown }

/**
 * Gives the images of an answer the form that the caller asked for. The vendor has made them already, so an image that
 * cannot be converted stays as it is, and the answer says why.
 */
export const convertImages =
  (app: App, context: CallContext, form: ImageForm): SaveResponse =>
  async last => {
    const answer = readAnswer(last)
    if (!answer || answer.data.every(each => !needsChange(each, form)))
      return { last, warnings: [] }
    const convert = form === 'url' ? asLink : asBytes
    const notes: string[] = []
    const data = await whileCallerWaits(context, signal =>
      Promise.all(
        answer.data.map(async (image, index) => {
          if (!needsChange(image, form)) return image
          const converted = await convert(app, context, image, signal)
          if (typeof converted !== 'string') return converted
          notes.push(`data[${index}] is not given as ${form}: ${converted}`)
          return image
        }),
      ),
    )
    const warnings = notes.length > 0 ? { warnings: notes } : {}
    return {
      last: Buffer.from(JSON.stringify({ ...answer, data, ...warnings })),
      warnings: notes.map(each => `gateway: response_format (${each})`),
    }
  }

const readAnswer = (body: Buffer): { data: Image[] } | undefined => {
  try {
    const answer = JSON.parse(body.toString()) as { data?: unknown }
    const { data } = answer
    const isList = Array.isArray(data) && data.every(each => typeof each === 'object' && each)
    return isList ? (answer as { data: Image[] }) : undefined
  } catch {
    return undefined
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const needsChange = (image: Image, form: ImageForm): boolean =>
  !isText(image[form]) && isText(form === 'url' ? image.b64_json : image.url)

/** A caller who leaves ends the fetches. */
const whileCallerWaits = async <T>(
  { abort }: CallContext,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  if (abort.reason) controller.abort()
  abort.onAbort = () => controller.abort()
  try {
    return await work(controller.signal)
  } finally {
    abort.onAbort = undefined
  }
}

/** Resolves with the image, or the reason why it cannot be converted. */
type Convert = (
  app: App,
  context: CallContext,
  image: Image,
  signal: AbortSignal,
) => Promise<Image | string>

const fullReason =
  'the links of your images hold 1 GiB, which is the most for one user; each of them ends 24 hours after it was made.'

const asLink: Convert = async (app, context, { b64_json, ...image }) => {
  if (!storesResults(app))
    return 'results are not stored here; an operator switches `TaskCopyDays` on.'
  const bytes = Buffer.from(String(b64_json), 'base64')
  const type = fileTypeOf(bytes)
  if (type === undefined || !types.has(type)) return 'the type of the image is unknown.'
  try {
    const url = await storeImage(app, context, { bytes, type })
    return url === undefined ? fullReason : { ...image, url }
  } catch (error) {
    app.log.warn({ err: error, request: context.id }, 'an image could not be stored')
    return 'it could not be stored.'
  }
}

const reasons: Readonly<Record<FetchFailure, string>> = {
  url: 'its link is none that the gateway fetches.',
  address: 'its link leads to an address that the gateway does not fetch.',
  redirects: 'its link redirects more than three times.',
  connection: 'the connection to its server failed.',
  status: 'its server did not answer with 200.',
  encoding: 'its content encoding is unknown.',
  type: 'there is no image behind its link.',
  size: `it is larger than ${fileMax / 1024 / 1024} MiB.`,
  timeout: `it did not arrive within ${fetchTimeoutMs / 1_000} seconds.`,
  cancelled: 'it needs more memory than the gateway has.',
}

const asBytes: Convert = async (app, context, { url, ...image }, signal) => {
  const [, inline] = /^data:[^,]*;base64,(.*)$/s.exec(String(url)) ?? []
  if (inline !== undefined) return { ...image, b64_json: inline }
  const fetched = await fetchGuarded(String(url), {
    ...{ rules: fetchRules(app), types, bytesMax: fileMax, timeoutMs: fetchTimeoutMs, signal },
    takeBytes: bytes => takeBytes(app, context, bytes),
  })
  if (!fetched.ok) return reasons[fetched.reason]
  return { ...image, b64_json: Buffer.concat(fetched.chunks).toString('base64') }
}

/** The bytes count as base64 against the limits of the request. */
const takeBytes = (app: App, { body }: CallContext, bytes: number): boolean => {
  try {
    reserveBytes(app, body, Math.ceil(bytes / 3) * 4)
    return true
  } catch {
    return false
  }
}
