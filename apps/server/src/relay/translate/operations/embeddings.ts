import { Fault } from '@hub/contract'
import {
  type Embeddings,
  type EmbeddingsFormat,
  embeddingsOf,
  isSharedDialectId,
  noUsage,
  openaiEmbeddings,
  type ParsedRequest,
  type UpstreamFormat,
  type VendorEmbeddings,
} from '@hub/dialects'
import { unreadableFault } from '../../request/unreadable.ts'
import type { Translation, TranslationInput } from '../translation.ts'
import { warningTexts } from '../warnings.ts'
import { parseJson, sentRequest } from './operation.ts'

/** Writes an embeddings request in the endpoint's dialect, and the vectors in the form that the caller asked for. */
export const translateEmbeddings = ({
  parsed,
  from,
  endpoint,
  upstreamModel: model,
}: TranslationInput): Translation => {
  const upstream = upstreamOf(endpoint)
  if (!upstream || !('embeddings' in from))
    throw new Fault('operation.unsupported', { detail: endpoint.dialect })
  const { embeddings: caller } = from as EmbeddingsFormat
  const decoded = caller.decodeRequest(JSON.parse(parsed.body.toString()), { model, stream: false })
  if (!decoded.ok) throw unreadableFault(decoded)
  const request = { ...decoded.request, model }
  const hint = upstream.codec.refuses?.(request)
  if (hint !== undefined) throw new Fault('request.invalid', { hint })
  const encoded = upstream.codec.encodeRequest(request)
  return {
    to: upstream.format,
    parsed: upstream.readSent(encoded.body, parsed, model),
    warnings: warningTexts(encoded.warnings),
    showsPrompt: true,
    response: (body, { promptTokens = 0 }) => {
      const answer = upstream.codec.decodeAnswer(JSON.parse(body.toString()), parsed.model)
      if (!answer) throw new Fault('upstream.invalid_response', { detail: 'not an answer' })
      // Some vendors report no usage: then the caller sees the count that is charged.
      const usage =
        typeof answer.usage === 'object' ? answer.usage : { ...noUsage(), input: promptTokens }
      const response = caller.encodeResponse({ ...answer, usage }, request)
      return { body: Buffer.from(JSON.stringify(response)), warnings: [] }
    },
  }
}

type Upstream = {
  codec: Pick<Embeddings, 'encodeRequest' | 'refuses' | 'decodeAnswer'>
  format: UpstreamFormat
  /** The request as it is sent. */
  readSent(body: Record<string, unknown>, parsed: ParsedRequest, model: string): ParsedRequest
}

const upstreamOf = ({
  dialect,
  vendorEmbeddings,
}: TranslationInput['endpoint']): Upstream | undefined => {
  if (vendorEmbeddings)
    return {
      codec: vendorEmbeddings,
      format: vendorFormat(vendorEmbeddings),
      readSent: (body, parsed, model) => sentRequest(parsed, { body }, model),
    }
  const format = isSharedDialectId(dialect) ? embeddingsOf(dialect) : undefined
  return (
    format && {
      codec: format.embeddings,
      format,
      readSent: (body, _, model) => readSent(format, body, model),
    }
  )
}

const readSent = (
  format: EmbeddingsFormat,
  body: Record<string, unknown>,
  model: string,
): ParsedRequest => {
  const sent = format.read(Buffer.from(JSON.stringify(body)), { model, stream: false })
  if (!sent.ok) throw new Fault('server.failed', { detail: `${format.id} wrote: ${sent.hint}` })
  return sent.parsed
}

const vendorFormat = (codec: VendorEmbeddings): UpstreamFormat => ({
  id: codec.id,
  splice: openaiEmbeddings.splice,
  decodeFault: openaiEmbeddings.decodeFault,
  readAnswer: body => {
    const read = parseJson(body)
    const answer = codec.decodeAnswer(read, '')
    if (!answer) return { ok: false, failure: read }
    return { ok: true, usage: answer.usage, meteredTokens: 0 }
  },
})
