import { Fault } from '@hub/contract'
import { replaceSessionHandle } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Caller } from '../../core/call.ts'
import type { Attempt, RoutingTarget, TokenChannels } from '../../relay/context.ts'
import { storingKeyOf } from '../../relay/references/owner.ts'
import { makeCandidates } from '../../relay/routing/pick.ts'

// A session can be continued at the account that has it only, and by its owner only. The caller receives the vendor's
// handle encrypted, together with that account, so that nothing has to be stored.
// https://ai.google.dev/gemini-api/docs/live-session#session-resumption

const contextOf = ({ userId }: Caller): string => `live-session:${userId}`

/** Returns what replaces the handles in the vendor's messages. */
export const sealHandles = (app: App, caller: Caller, { channel, key }: Attempt) => {
  const account = [channel.id, key.fingerprint]
  return (message: Buffer): string | undefined =>
    replaceSessionHandle(message, handle =>
      app.seal.seal('live-session', contextOf(caller), JSON.stringify([...account, handle])),
    )
}

type Resumed = { target: RoutingTarget; handle: string | undefined }

/** The account of the session that a handle continues, and the vendor's own handle. */
export const resumedTarget = (
  app: App,
  caller: Caller,
  sealed: string | undefined,
  channels: TokenChannels,
): Resumed => {
  if (sealed === undefined) return { target: channels, handle: undefined }
  const [channelId, fingerprint, handle] = openHandle(app, caller, sealed)
  const { group, candidates } = channels
  const channel = candidates.tiers
    .flatMap(each => each.channels)
    .find(each => each.id === channelId)
  const key = channel && storingKeyOf(channel, fingerprint)
  if (!channel || !key)
    throw new Fault('request.invalid', {
      hint: 'The account of the session to be resumed is no longer available.',
    })
  return { target: { group, candidates: makeCandidates([channel]), key }, handle }
}

const openHandle = (app: App, caller: Caller, sealed: string): [number, string, string] => {
  try {
    return JSON.parse(app.seal.open('live-session', contextOf(caller), sealed))
  } catch {
    throw new Fault('request.invalid', { hint: "The session's 'handle' is not known." })
  }
}
