import { type ChannelKey, type contract, Fault } from '@hub/contract'
import { type App, nowSeconds } from '../../core/app.ts'
import type { Handlers } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as states from '../../db/queries/channel-keys.ts'
import { announceChange } from '../../db/queries/channel-versions.ts'
import * as rows from '../../db/queries/channels.ts'
import { makeKeys, shownDigits } from '../../relay/channels/keys.ts'
import { recordManualChange } from '../../relay/channels/status.ts'
import { fingerprintKeys, getChannel, openKeys, parseKeys, sealKeys } from './channel.ts'
import { requireCredentials } from './provider-fields.ts'

const keysMax = 1000

export const requireFewKeys = (keys: readonly string[]): void => {
  if (keys.length > keysMax)
    throw new Fault('request.invalid', { hint: `\`key\`: at most ${keysMax} lines.` })
}

/** The columns of a channel's keys. */
export const keyColumns = (app: App, id: number, keys: string[]) => ({
  key_sealed: sealKeys(app, keys)(id),
  key_hash: fingerprintKeys(app, keys),
  key_count: keys.length,
})

/** Gives each of several keys a row. A single key has none: its state is that of the channel. */
export const storeKeyStates = async (
  app: App,
  tx: Database,
  id: number,
  keys: readonly string[],
): Promise<void> => {
  const fingerprints = makeKeys(app, keys).map(each => each.fingerprint)
  await (keys.length > 1 ? states.storeKeys(tx, id, fingerprints) : states.forgetKeys(tx, id))
}

/** Handlers for the keys of one channel. */
export const channelKeys = {
  keys: async (app, _caller, { id }) => listKeys(app, app.db, await getChannel(app.db, id)),
  addKeys: (app, _caller, { id, key }) =>
    changeKeys(app, id, async (tx, channel) => {
      const added = parseKeys(key)
      requireCredentials(channel.type, added)
      await replaceKeys(app, tx, id, [...new Set([...openKeys(app, channel), ...added])])
    }),
  setKey: (app, { username: actor }, { id, fingerprint, status }) =>
    changeKeys(app, id, async (tx, channel) => {
      const key = findKey(app, channel, fingerprint)
      await states.setKeyStatus(tx, id, key.fingerprint, { status, at: nowSeconds(app) })
      const change = { channelIds: [id], fingerprint: key.fingerprint, status, actor }
      await recordManualChange(app, tx, change)
      requireEnabled(await listKeys(app, tx, channel))
    }),
  removeKey: (app, _caller, { id, fingerprint }) =>
    changeKeys(app, id, async (tx, channel) => {
      const { credential } = findKey(app, channel, fingerprint)
      const kept = openKeys(app, channel).filter(each => each !== credential)
      if (kept.length === 0) throw new Fault('channel.key_missing')
      const shown = await listKeys(app, tx, channel)
      requireEnabled(shown.filter(each => each.fingerprint !== fingerprint))
      await replaceKeys(app, tx, id, kept)
    }),
} satisfies Partial<Handlers<typeof contract.channels.endpoints>>

const replaceKeys = async (app: App, tx: Database, id: number, keys: string[]) => {
  requireFewKeys(keys)
  await rows.update(tx, id, keyColumns(app, id, keys))
  await storeKeyStates(app, tx, id, keys)
}

const findKey = (app: App, channel: rows.ChannelRow, fingerprint: string) => {
  const found = makeKeys(app, openKeys(app, channel)).find(each =>
    each.fingerprint.startsWith(fingerprint),
  )
  if (!found) throw new Fault('resource.missing')
  return found
}

const changeKeys = (
  app: App,
  id: number,
  change: (tx: Database, channel: rows.ChannelRow) => Promise<void>,
): Promise<ChannelKey[]> =>
  app.db.transaction().execute(async tx => {
    // The lock on the row comes first, so that changes of one list follow each other.
    if (!(await rows.update(tx, id, {}))) throw new Fault('resource.missing')
    await change(tx, await getChannel(tx, id))
    await announceChange(tx)
    return listKeys(app, tx, await getChannel(tx, id))
  })

/** Keys that the gateway disabled count as enabled, because they return when no other is left. */
const requireEnabled = (keys: readonly ChannelKey[]): void => {
  if (keys.some(each => each.status !== 2)) return
  const hint = 'Disable the channel instead of its last enabled key.'
  throw new Fault('request.invalid', { hint })
}

const listKeys = async (
  app: App,
  db: Database,
  channel: rows.ChannelRow,
): Promise<ChannelKey[]> => {
  const stored = new Map((await states.listKeys(db, channel.id)).map(each => [each.key_hash, each]))
  return makeKeys(app, openKeys(app, channel)).map(({ index, fingerprint }) => {
    const { status = 1, reason = '', changed_at = 0 } = stored.get(fingerprint) ?? {}
    return {
      ...{ index, reason, changed_at, status: status as ChannelKey['status'] },
      fingerprint: fingerprint.slice(0, shownDigits),
    }
  })
}
