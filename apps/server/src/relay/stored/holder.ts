import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import * as stored from '../../db/queries/stored.ts'
import type { Channel } from '../channels/channel.ts'

/** Nothing else is a vendor's id: no part of a path, and nothing that a database would not take. */
const idPattern = /^\w[\w.:-]{0,199}$/

export const isId = (text: string): boolean => idPattern.test(text)

/** Who keeps what has this id; undefined: nobody, as far as this user may know. */
export const findHolder = async (
  app: App,
  userId: number,
  id: string,
): Promise<stored.Holder | undefined> => {
  const row = isId(id) ? await stored.find(app.db, id) : undefined
  return row?.user_id === userId ? row : undefined
}

/** It is kept here, and at no vendor. */
export const isOurs = ({ size }: stored.Holder): boolean => size !== null

const prints = perApp(() => new WeakMap<Channel, Map<string, string>>())

/** By it a credential is known again, and nothing else of it. */
export const printOf = (app: App, channel: Channel, credential: string): string => {
  const known = prints(app).get(channel) ?? new Map<string, string>()
  prints(app).set(channel, known)
  const print = known.get(credential) ?? app.seal.fingerprint('channel-key', credential)
  known.set(credential, print)
  return print
}

/** The one that it was made with; undefined: the channel does not have it any more. */
export const credentialOf = (app: App, channel: Channel, print: string): string | undefined =>
  channel.credentials.find(each => printOf(app, channel, each) === print)
