import { wordsOf } from './notes.ts'
import type { Manner, Spoken } from './stream.ts'

export type ToldReply = { body: Buffer; notes: readonly string[] }

/** A whole answer in the caller's dialect, and what could not be said in it. */
export const translateReply = (
  { from, to, request, id: own }: Spoken,
  body: Buffer,
  { createdAt, id }: Pick<Manner, 'createdAt' | 'id'>,
): ToldReply => {
  const reply = to.decodeReply(JSON.parse(body.toString()))
  reply.id = own ?? (reply.id || id)
  // Not every vendor says who answered: then it was who was asked.
  reply.model ||= request.model
  const written = from.encodeReply(reply, { request, createdAt })
  return {
    body: Buffer.from(JSON.stringify(written.body)),
    notes: wordsOf(written.notes),
  }
}
