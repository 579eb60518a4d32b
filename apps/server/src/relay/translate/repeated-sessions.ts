import { createHash } from 'node:crypto'
import type { ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { conversationStart } from '../request/session-key.ts'

/** The call of a session, as far as its cache needs it. */
export type SessionCall = { userId: number; requestId: string; session: string | undefined }

/** The oldest session is forgotten above this number. */
const entriesMax = 20_000
/** A session that paused for longer may have ended. */
const lifeMs = 3_600_000

type SeenSession = { firstRequestId: string; until: number }

/** Each process has its own: the first call at another node is sent without marks, which costs no more than without. */
const entriesOf = appScoped(() => new Map<string, SeenSession>())

/** Says whether the session was called before. A write to the cache pays only if somebody reads it. */
export const isRepeated = (
  app: App,
  { userId, requestId, session }: SessionCall,
  parsed: ParsedRequest,
): boolean => {
  const text = JSON.stringify([userId, parsed.model, session ?? conversationStart(parsed)])
  const id = createHash('sha256').update(text).digest('base64')
  const entries = entriesOf(app)
  const known = entries.get(id)
  const isKnown = known !== undefined && known.until >= app.monotonic()
  const firstRequestId = isKnown ? known.firstRequestId : requestId
  entries.delete(id)
  if (entries.size >= entriesMax) entries.delete(entries.keys().next().value!)
  entries.set(id, { firstRequestId, until: app.monotonic() + lifeMs })
  // The attempts of one call are no second call.
  return firstRequestId !== requestId
}
