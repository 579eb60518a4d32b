import { type UpstreamGroup as ShownGroup, UpstreamGroup } from '@hub/contract'
import type { GroupRatioQuery } from '@hub/providers'
import { type App, nowSeconds } from '../../core/app.ts'
import { emit } from '../../core/notifications/emit.ts'
import type { Database } from '../../db/index.ts'
import { lockMany } from '../../db/queries/channels.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import * as ratios from '../../db/queries/upstream-ratios.ts'
import { formatNumber } from '../../lib/decimal.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import { type ChannelDraft, makeDraftChannel } from '../fetch-models.ts'
import { fetchText } from '../fetch-text.ts'

/** The group of the channel's key at the upstream, by its options. */
export const upstreamGroupOf = ({ options }: Pick<Channel, 'options'>): string =>
  String(options.upstream?.group || 'default')

/** Reads the groups of an upstream. Undefined: it has no page that shows them, or does not answer. */
export const fetchGroups = async (
  app: App,
  channel: Channel,
): Promise<ShownGroup[] | undefined> => {
  const query = channel.provider.groupRatios
  if (!query) return undefined
  const text = await fetchText(app, channel, query.path).catch(() => undefined)
  const groups = text === undefined ? undefined : readAnswer(query, text)
  return groups?.map(each => ({ ...each, ratio: formatNumber(each.ratio) }))
}

export const fetchDraftGroups = async (app: App, draft: ChannelDraft): Promise<ShownGroup[]> =>
  (await fetchGroups(app, makeDraftChannel(app, draft))) ?? []

const readAnswer = ({ read }: GroupRatioQuery, text: string) => {
  try {
    return read(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Reads the multiplier of the channel's group, and records it if it changed. */
export const readRatio = async (app: App, channel: Channel): Promise<void> => {
  const groups = await fetchGroups(app, channel)
  const now = nowSeconds(app)
  if (!groups) return ratios.storeAttempt(app.db, channel.id, now)
  const group = upstreamGroupOf(channel)
  const found = groups.find(each => each.group === group)
  await app.db.transaction().execute(async tx => {
    await lockMany(tx, [channel.id])
    await ratios.storeGroups(tx, {
      channel_id: channel.id,
      checked_at: now,
      read_at: now,
      groups: JSON.stringify(groups.map(each => UpstreamGroup.parse(each))),
    })
    if (found) await recordRatio(app, tx, channel, found)
  })
}

/** A ratio of another group than before is the choice of an administrator, not a change of the upstream's. */
const recordRatio = async (
  app: App,
  tx: Database,
  { id, name }: Channel,
  { group, ratio }: ShownGroup,
): Promise<void> => {
  const [last] = await ratios.listChanges(tx, id, 1)
  if (last?.group === group && last.ratio === ratio) return
  const valid_from = nowSeconds(app)
  const row = { channel_id: id, group, ratio, valid_from }
  if (last?.group !== group) {
    await ratios.confirm(tx, id)
    await ratios.append(tx, { ...row, is_confirmed: 1 })
    return
  }
  await ratios.append(tx, { ...row, is_confirmed: 0 })
  await emit(app, tx, {
    event: 'channel.ratio',
    key: `channel.ratio:${id}:${valid_from}`,
    userIds: [administrators],
    facts: { name, group, before: last.ratio, after: ratio },
  })
}

/** Enough to find the value before the first change that nobody has confirmed. */
const changesMax = 50

/** The change of the multiplier since an administrator confirmed it last. Null: there is none. */
export const findChange = async (db: Database, channelId: number) =>
  changeIn(await ratios.listChanges(db, channelId, changesMax))

type RatioRow = Awaited<ReturnType<typeof ratios.listChanges>>[number]

/** `changes` are the newest first. A value that came back is compared with the one before. */
export const changeIn = (changes: readonly RatioRow[]) => {
  const [latest, previous] = changes
  if (!latest || !previous || latest.is_confirmed === 1) return null
  const confirmed = changes.find(each => each.is_confirmed === 1) ?? previous
  const before = confirmed.ratio === latest.ratio ? previous.ratio : confirmed.ratio
  return { group: latest.group, before, after: latest.ratio, at: latest.valid_from }
}
