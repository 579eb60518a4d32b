import { Fault, type Session } from '@hub/contract'
import * as rows from '../../db/queries/sessions.ts'
import { type App, nowSeconds } from '../app.ts'

const idLength = 32

/** The name of a session in the API. Stored hashes stay inside, because a copy of them would help to find a cookie. */
const idOf = (app: App, idHash: string): string =>
  app.seal.fingerprint('session', idHash).slice(0, idLength)

export const listSessions = async (
  app: App,
  userId: number,
  current: string,
): Promise<Session[]> => {
  const found = await rows.listActive(app.db, userId, nowSeconds(app))
  return found.map(({ id_hash, created_at, last_seen_at, expires_at, ip, user_agent }) => ({
    id: idOf(app, id_hash),
    ...{ created_at, last_seen_at, expires_at, ip, user_agent },
    current: id_hash === current,
  }))
}

/** Ends a session of this user. Throws `resource.missing` for that of another one. */
export const endSession = async (app: App, userId: number, id: string): Promise<null> => {
  const found = await rows.listActive(app.db, userId, nowSeconds(app))
  const session = found.find(each => idOf(app, each.id_hash) === id)
  if (!session) throw new Fault('resource.missing')
  await rows.end(app.db, session.id_hash)
  return null
}
