import { Fault } from '@hub/contract'
import {
  type CallerFormat,
  type ParsedRequest,
  readFieldRanges,
  type UpstreamFormat,
} from '@hub/dialects'
import type {
  DecodedOperation,
  EncodedOperation,
  OperationTranslation,
  Refusal,
} from '@hub/providers'
import type { Translation, TranslationInput } from '../translation.ts'
import { translatingEvents } from './operation-stream.ts'

type JsonBody = Record<string, unknown>

/**
 * Writes a request in the private format of the endpoint's vendor. `canonical` is the format that the translations of the
 * operation read and write; a caller of another format is converted to it first.
 */
export const translateOperation = (
  canonical: CallerFormat,
  { parsed, from, endpoint, channel, upstreamModel }: TranslationInput,
): Translation => {
  const { translation: vendor } = endpoint
  const { decodeEvent } = vendor ?? {}
  if (parsed.stream && !decodeEvent)
    throw unsupported("'stream' is not supported by the provider of this model.")
  if (!vendor && endpoint.dialect !== canonical.id)
    throw new Fault('operation.unsupported', { detail: endpoint.dialect })
  const request = JSON.parse(parsed.body.toString()) as JsonBody
  const canonicalRequest: JsonBody = {
    ...(from.canon?.decodeRequest(request) ?? request),
    model: upstreamModel,
  }
  // The answer is brought into that form by `result-storage/image-form.ts`.
  if (endpoint.imageForm) delete canonicalRequest.response_format
  const encoded: EncodedOperation | Refusal = vendor?.encodeRequest(
    canonicalRequest,
    channel.options,
  ) ?? {
    body: canonicalRequest,
  }
  if ('refused' in encoded) throw unsupported(encoded.refused)
  const decode = makeDecoder(vendor, canonicalRequest)
  return {
    to: upstreamFormat(canonical, endpoint.dialect, vendor, decode),
    parsed: sentRequest(parsed, encoded, upstreamModel),
    ...(encoded.headers ? { headers: encoded.headers } : {}),
    ...(encoded.file === undefined ? {} : { file: encoded.file }),
    passesAnswer: !vendor?.decodeAnswer && !from.canon,
    ...(decodeEvent ? { observe: () => translatingEvents(decodeEvent) } : {}),
    warnings: (encoded.dropped ?? []).map(each => `${endpoint.dialect}: ${each}`),
    response: (body, { contentType = '', createdAt }) => {
      const decoded = decode(body, contentType)
      if (!decoded) throw new Fault('upstream.invalid_response', { detail: 'not an answer' })
      if (Buffer.isBuffer(decoded.body))
        return { body: decoded.body, warnings: [], contentType: decoded.contentType }
      // A vendor that names no time has a 0 there.
      const dated =
        decoded.body.created === 0 ? { ...decoded.body, created: createdAt } : decoded.body
      const response = from.canon?.encodeResponse(dated, request) ?? dated
      return { body: Buffer.from(JSON.stringify(response)), warnings: [] }
    },
  }
}

const unsupported = (hint: string) => new Fault('request.invalid', { hint })

type Decode = (body: Buffer, contentType: string) => DecodedOperation | undefined

/** Decodes an answer once, although both billing and the caller need it. */
const makeDecoder = (vendor: OperationTranslation | undefined, request: JsonBody): Decode => {
  let known: { body: Buffer; decoded: DecodedOperation | undefined } | undefined
  return (body, contentType) => {
    if (known?.body !== body)
      known = {
        body,
        decoded: vendor?.decodeAnswer
          ? vendor.decodeAnswer({ body, contentType }, request)
          : { body: parseJson(body) ?? body, contentType },
      }
    return known.decoded
  }
}

export const parseJson = (body: Buffer): JsonBody | undefined => {
  try {
    return JSON.parse(body.toString()) as JsonBody
  } catch {
    return undefined
  }
}

const upstreamFormat = (
  canonical: CallerFormat,
  id: CallerFormat['id'],
  vendor: OperationTranslation | undefined,
  decode: Decode,
): UpstreamFormat => ({
  id,
  splice: (parsed, edits) =>
    parsed.contentType === undefined ? canonical.splice(parsed, edits) : parsed.body,
  decodeFault: vendor?.decodeFault ?? canonical.decodeFault,
  answersBytes: canonical.answersBytes ?? false,
  readAnswer: (body, contentType = '') => {
    const decoded = decode(body, contentType)
    if (!decoded) return { ok: false, failure: parseJson(body) }
    const { usage, body: answer } = decoded
    if (usage !== undefined) return { ok: true, usage, meteredTokens: 0 }
    if (Buffer.isBuffer(answer)) return canonical.readAnswer(answer, decoded.contentType)
    return canonical.readAnswer(Buffer.from(JSON.stringify(answer)))
  },
})

/** The request as it is sent. Its fields can be edited where it is JSON. */
export const sentRequest = (
  parsed: ParsedRequest,
  { body, contentType }: EncodedOperation,
  upstreamModel: string,
): ParsedRequest => {
  const isJson = !Buffer.isBuffer(body)
  const bytes = isJson ? Buffer.from(JSON.stringify(body)) : body
  const ranges = isJson ? readFieldRanges(bytes, 0, bytes.length, []) : undefined
  const { contentType: _, isModelReplaced: __, hasAddresses: ___, ...rest } = parsed
  return {
    ...rest,
    model: upstreamModel,
    body: bytes,
    fieldRanges: ranges?.ok ? ranges.fieldRanges : new Map(),
    ...(isJson ? {} : { contentType: contentType ?? 'application/octet-stream' }),
  }
}
