import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import * as audit from '../../db/queries/audit.ts'
import { disableChannel, enableChannel } from '../../db/queries/relay-channels.ts'
import { bump } from '../../db/queries/topics.ts'
import type { Channel } from './channel.ts'

/** Credentials that their vendor refused, until the channel is changed. */
const refused = perApp(() => new WeakMap<Channel, Set<string>>())

/** One of the channel's credentials, in turn by chance; those that were refused only when there is no other. */
export const chooseCredential = (app: App, channel: Channel): string => {
  const bad = refused(app).get(channel)
  const good = bad ? channel.credentials.filter(each => !bad.has(each)) : channel.credentials
  const list = good.length > 0 ? good : channel.credentials
  return list.length === 1 ? list[0]! : list[Math.floor(Math.random() * list.length)]!
}

/** A channel is disabled when the vendor has refused each of its credentials, if the operator wants that. */
export const refuseCredential = (
  app: App,
  channel: Channel,
  credential: string,
  reason: string,
): void => {
  const bad = refused(app).get(channel) ?? new Set<string>()
  refused(app).set(channel, bad)
  bad.add(credential)
  if (bad.size < channel.credentials.length) return
  bad.clear()
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return
  disable(app, channel, `failure: ${reason}`).catch(error =>
    app.log.error({ err: error, channel: channel.id }, 'could not disable a channel'),
  )
}

type Named = Pick<Channel, 'id' | 'name'>

/** Only a channel that is enabled; says whether this caller was the one who did it. The reason says why, first in a word. */
export const disable = async (app: App, channel: Named, reason: string): Promise<boolean> => {
  const isDone = await app.db.transaction().execute(async tx => {
    const wasEnabled = await disableChannel(tx, channel.id, reason)
    if (wasEnabled) await bump(tx, 'channels')
    return wasEnabled
  })
  if (!isDone) return false
  app.log.warn({ channel: channel.id, reason }, 'a channel was disabled')
  await tell(app, channel, 'channels.disable', reason)
  return true
}

/** Only what the gateway itself disabled: never what a person did. */
export const enable = async (app: App, channel: Named, reason: string): Promise<boolean> => {
  const isDone = await app.db.transaction().execute(async tx => {
    const wasDisabled = await enableChannel(tx, channel.id)
    if (wasDisabled) await bump(tx, 'channels')
    return wasDisabled
  })
  if (isDone) await tell(app, channel, 'channels.enable', reason)
  return isDone
}

const tell = (app: App, channel: Named, action: string, reason: string) =>
  audit.append(app.db, {
    at: Math.floor(app.now() / 1_000),
    actor_id: 0,
    actor_name: 'gateway',
    action,
    target: `channel ${channel.id} ${channel.name}`,
    input: JSON.stringify({ reason }),
    outcome: '',
    source_ip: '',
    request_id: '',
  })
