import { type Price, type UpstreamGroup as ShownGroup, UpstreamGroup } from '@hub/contract'
import type { GroupRatioQuery } from '@hub/providers'
import { upstreamGroupOf } from '../../billing/costs/upstream-list.ts'
import { parsePriceList } from '../../billing/prices/lists/read-list.ts'
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

type Shown = { groups: ShownGroup[]; prices: Price[] }

/** Reads the page of an upstream. Undefined: it has none that shows its groups, or does not answer. */
const fetchShown = async (app: App, channel: Channel): Promise<Shown | undefined> => {
  const query = channel.provider.groupRatios
  if (!query) return undefined
  const text = await fetchText(app, channel, query.path).catch(() => undefined)
  const groups = text === undefined ? undefined : readAnswer(query, text)
  if (!groups) return undefined
  return {
    groups: groups.map(each => ({ ...each, ratio: formatNumber(each.ratio) })),
    prices: pricesIn(text!),
  }
}

/** The prices of the models on the page of the groups. Empty: it shows none. */
const pricesIn = (text: string): Price[] => {
  try {
    return parsePriceList(text).prices
  } catch {
    return []
  }
}

export const fetchDraftGroups = async (app: App, draft: ChannelDraft): Promise<ShownGroup[]> =>
  (await fetchShown(app, makeDraftChannel(app, draft)))?.groups ?? []

const readAnswer = ({ read }: GroupRatioQuery, text: string) => {
  try {
    return read(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** Reads the multiplier of the channel's group and the prices, and records what changed. */
export const readRatio = async (app: App, channel: Channel): Promise<void> => {
  const shown = await fetchShown(app, channel)
  const now = nowSeconds(app)
  if (!shown) return ratios.storeAttempt(app.db, channel.id, now)
  const groups = JSON.stringify(shown.groups.map(each => UpstreamGroup.parse(each)))
  const prices = JSON.stringify(shown.prices)
  const group = upstreamGroupOf(channel)
  const found = shown.groups.find(each => each.group === group)
  await app.db.transaction().execute(async tx => {
    await lockMany(tx, [channel.id])
    const before = await ratios.findGroups(tx, channel.id)
    const times = { checked_at: now, read_at: now }
    await ratios.storeGroups(tx, { channel_id: channel.id, ...times, groups, prices })
    // The first call after this transaction costs what the upstream charges now.
    if (before?.groups !== groups || before.prices !== prices) await app.changes.notify(tx, 'costs')
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
