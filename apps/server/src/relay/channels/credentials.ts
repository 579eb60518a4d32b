import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from './channel.ts'
import { disable } from './status.ts'

/** Credentials that their vendor refused, until the channel is changed. */
const refusedCredentials = appScoped(() => new WeakMap<Channel, Set<string>>())

/** Chooses one of the channel's credentials at random; refused ones only where there is no other. */
export const chooseCredential = (app: App, channel: Channel): string => {
  const refused = refusedCredentials(app).get(channel)
  const good = refused
    ? channel.credentials.filter(each => !refused.has(each))
    : channel.credentials
  const list = good.length > 0 ? good : channel.credentials
  return list.length === 1 ? list[0]! : list[Math.floor(Math.random() * list.length)]!
}

/**
 * Records a refused credential; returns whether all of the channel's were refused. The channel is then disabled, if the
 * operator wants that.
 */
export const refuseCredential = (
  app: App,
  channel: Channel,
  credential: string,
  reason: string,
): boolean => {
  const refused = refusedCredentials(app).get(channel) ?? new Set<string>()
  refusedCredentials(app).set(channel, refused)
  refused.add(credential)
  if (refused.size < channel.credentials.length) return false
  refused.clear()
  if (!app.settings().channels.AutomaticDisableChannelEnabled) return true
  disable(app, channel, `failure: ${reason}`).catch(error =>
    app.log.error({ err: error, channel: channel.id }, 'could not disable a channel'),
  )
  return true
}
