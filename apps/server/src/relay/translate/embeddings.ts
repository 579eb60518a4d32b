import { Fault } from '@hub/contract'
import { type Embeddings, embeddingsOf, noUsage } from '@hub/dialects'
import { wordsOf } from './notes.ts'
import { type Telling, type Translation, unreadable } from './translation.ts'

/** A request for embeddings in the upstream's own words, and the vectors in the form that the caller asked for. */
export const translateEmbeddings = (
  { ask, endpoint, model }: Telling,
  caller: Embeddings,
): Translation => {
  const to = embeddingsOf(endpoint.dialect)
  if (!to?.embeddings) throw new Fault('operation.unsupported', { detail: endpoint.dialect })
  const { embeddings } = to
  const named = { model, stream: false }
  const read = caller.decodeRequest(JSON.parse(ask.body.toString()), named)
  if (!read.ok) throw unreadable(read)
  const request = { ...read.request, model }
  const hint = embeddings.refuses?.(request)
  if (hint !== undefined) throw new Fault('request.invalid', { hint })
  const written = embeddings.encodeRequest(request)
  const told = to.read(Buffer.from(JSON.stringify(written.body)), named)
  if (!told.ok) throw new Fault('server.failed', { detail: `${to.id} wrote: ${told.hint}` })
  return {
    to,
    ask: told.ask,
    notes: wordsOf(written.notes),
    tap: () => {
      throw new Fault('server.failed', { detail: 'embeddings do not stream' })
    },
    reply: body => {
      const reply = embeddings.decodeReply(JSON.parse(body.toString()), ask.model)
      if (!reply) throw new Fault('upstream.garbage', { detail: 'not an answer' })
      // Not every vendor tells it: then the caller is told what is charged.
      const usage =
        typeof reply.usage === 'object' ? reply.usage : { ...noUsage(), input: ask.promptTokens }
      const encoded = caller.encodeReply({ ...reply, usage }, request)
      return { body: Buffer.from(JSON.stringify(encoded)), notes: [] }
    },
  }
}
