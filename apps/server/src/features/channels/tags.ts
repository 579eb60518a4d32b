import { type ChannelSecret, type contract, Fault } from '@hub/contract'
import type { z } from 'zod'
import { type App, nowSeconds } from '../../core/app.ts'
import { definedOnly } from '../../core/crud.ts'
import type { Handlers, SignedInUser } from '../../core/implement.ts'
import type { Database } from '../../db/index.ts'
import * as tags from '../../db/queries/channel-tags.ts'
import * as rows from '../../db/queries/channels.ts'
import { recordManualChange } from '../../relay/channels/status.ts'
import { requireNone } from './batch.ts'
import {
  changeChannels,
  fingerprintKeys,
  openKeys,
  openSecrets,
  parseKeys,
  requireAddress,
  requireGroups,
  sealAll,
  sealSecrets,
  toColumns,
} from './channel.ts'
import { copyCosts, followUpstream } from './costs/store.ts'
import { copiedColumns, initialState } from './create.ts'
import { checkDestination, destinationOf, missingSecrets } from './destination.ts'
import { requireCredentials, requireFreeField, requireOptions } from './provider-fields.ts'

type Change = z.output<(typeof contract.channels.endpoints)['updateTag']['input']>

/** Handlers that change all channels of a tag together. A tag exists only while a channel has it. */
export const channelTags = {
  allTags: async app =>
    (await tags.listTags(app.db)).map(({ tag, channels, enabled }) => ({
      id: 0,
      tag,
      channels: Number(channels),
      enabled: Number(enabled),
    })),
  tagged: async (app, _caller, { tag_name }) =>
    (await getTagged(app.db, tag_name)).map(rows.asChannel),
  tag: async (app, _caller, { tag_name }) => {
    const tagged = await getTagged(app.db, tag_name)
    return {
      ...rows.asChannel(tagged[0]!),
      channels: tagged.map(({ id, name, status, key_hash }) => ({
        id,
        name,
        status,
        fingerprint: key_hash.slice(0, 12),
      })),
    }
  },
  updateTag: (app, caller, input) => updateTag(app, caller, input),
  removeTagged: (app, _caller, { tag_name }) =>
    requireSome(changeChannels(app, tx => tags.remove(tx, tag_name, nowSeconds(app)))),
  removeTaggedDisabled: (app, _caller, { tag_name }) =>
    changeChannels(app, tx => tags.removeDisabled(tx, tag_name, nowSeconds(app))),
  setTagPriority: (app, _caller, { tag_name, type, value }) =>
    requireSome(changeChannels(app, tx => tags.update(tx, tag_name, { [type]: value }))),
  setTagStatus: (app, { username: actor }, { tag_name, status: action }) => {
    const status = action === 'enable' ? 1 : 2
    return requireSome(
      changeChannels(app, async tx => {
        const tagged = await tags.listChannels(tx, tag_name)
        if (status === 1) requireKeys(tagged)
        const channelIds = tagged.filter(each => each.status !== status).map(each => each.id)
        await recordManualChange(app, tx, { channelIds, status, actor })
        return tags.update(tx, tag_name, { status, status_reason: '' })
      }),
    )
  },
} satisfies Partial<Handlers<typeof contract.channels.endpoints>>

const requireKeys = (channels: readonly rows.ChannelRow[]): void =>
  requireNone(
    channels
      .filter(each => each.key_count === 0)
      .map(({ id, name }) => ({ id, name, reason: 'no_key' })),
  )

const requireSome = async (work: Promise<number>): Promise<number> => {
  const count = await work
  if (count === 0) throw new Fault('resource.missing')
  return count
}

const getTagged = async (db: Database, tag: string): Promise<rows.ChannelRow[]> => {
  const tagged = await tags.listChannels(db, tag)
  if (tagged.length === 0) throw new Fault('resource.missing')
  return tagged
}

/**
 * Writes the fields of the body to every channel of the tag. Each new key adds a channel copied from the first. A new
 * destination needs every stored key of the tag.
 */
const updateTag = (
  app: App,
  { userId }: SignedInUser,
  { tag_name, key, ...change }: Change,
): Promise<number> =>
  changeChannels(app, async tx => {
    const { proxy, model_headers, custom_parameter, ...fields } = change
    const secrets = definedOnly({ proxy, model_headers, custom_parameter })
    const columns = toColumns(fields)
    const before = await getTagged(tx, tag_name)
    const given = parseKeys(key ?? '')
    requireCredentials(before[0]!.type, given)
    if (fields.group !== undefined) await requireGroups(tx, fields.group)
    for (const each of before) {
      if (fields.plugin !== undefined)
        requireOptions(each.type, fields.plugin, JSON.parse(each.plugin || '{}'))
      if (fields.other !== undefined) requireFreeField(each.type, fields.other, each.other)
      if (fields.base_url !== undefined) requireAddress({ ...each, base_url: fields.base_url })
      const isComplete = openKeys(app, each).every(stored => given.includes(stored))
      const missing = [...(isComplete ? [] : ['key']), ...missingSecrets(each, change)]
      checkDestination(destinationOf(app, each), change, missing)
      await followUpstream(app, tx, each, fields)
    }
    if (Object.keys(columns).length > 0) await tags.update(tx, tag_name, columns)
    if (Object.keys(secrets).length > 0)
      for (const { id } of before) await rows.update(tx, id, sealSecrets(app, id, secrets))
    const first = { ...before[0]!, ...columns }
    const known = new Set(before.flatMap(each => openKeys(app, each)))
    const added = given.filter(each => !known.has(each))
    const template = copiedColumns(first)
    const shared = withoutNull({ ...openSecrets(app, before[0]!), ...secrets })
    for (const [index, each] of added.entries()) {
      const channel = {
        ...template,
        ...initialState(app),
        name: `${first.name}_${before.length + index + 1}`,
        status: 1,
        key_hash: fingerprintKeys(app, [each]),
        key_count: 1,
      }
      const id = await rows.insert(tx, channel, sealAll(app, [each], shared))
      await copyCosts(app, tx, { from: first.id, to: id, userId })
    }
    return before.length + added.length
  })

const withoutNull = (
  secrets: Record<ChannelSecret, string | null>,
): Record<ChannelSecret, string> => ({
  proxy: secrets.proxy ?? '',
  model_headers: secrets.model_headers ?? '',
  custom_parameter: secrets.custom_parameter ?? '',
})
