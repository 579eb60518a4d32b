import { Fault } from '@hub/contract'
import { type EmbeddingsFormat, embeddingsOf, isSharedDialectId, noUsage } from '@hub/dialects'
import { unreadableFault } from '../request/unreadable.ts'
import type { Translation, TranslationInput } from './translation.ts'
import { warningTexts } from './warnings.ts'

/** Writes an embeddings request in the endpoint's dialect, and the vectors in the form that the caller asked for. */
export const translateEmbeddings = ({
  parsed,
  from,
  endpoint,
  upstreamModel: model,
}: TranslationInput): Translation => {
  const to = isSharedDialectId(endpoint.dialect) ? embeddingsOf(endpoint.dialect) : undefined
  if (!to || !('embeddings' in from))
    throw new Fault('operation.unsupported', { detail: endpoint.dialect })
  const { embeddings: caller } = from as EmbeddingsFormat
  const { embeddings: upstream } = to
  const pathParams = { model, stream: false }
  const decoded = caller.decodeRequest(JSON.parse(parsed.body.toString()), pathParams)
  if (!decoded.ok) throw unreadableFault(decoded)
  const request = { ...decoded.request, model }
  const hint = upstream.refuses?.(request)
  if (hint !== undefined) throw new Fault('request.invalid', { hint })
  const encoded = upstream.encodeRequest(request)
  const sent = to.read(Buffer.from(JSON.stringify(encoded.body)), pathParams)
  if (!sent.ok) throw new Fault('server.failed', { detail: `${to.id} wrote: ${sent.hint}` })
  return {
    to,
    parsed: sent.parsed,
    warnings: warningTexts(encoded.warnings),
    response: body => {
      const reply = upstream.decodeReply(JSON.parse(body.toString()), parsed.model)
      if (!reply) throw new Fault('upstream.invalid_response', { detail: 'not an answer' })
      // Some vendors report no usage: then the caller sees the estimate that is charged.
      const usage =
        typeof reply.usage === 'object' ? reply.usage : { ...noUsage(), input: parsed.promptTokens }
      const answer = caller.encodeReply({ ...reply, usage }, request)
      return { body: Buffer.from(JSON.stringify(answer)), warnings: [] }
    },
  }
}
