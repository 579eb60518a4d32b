import type { FirstSteps } from '@hub/contract'
import { tokenStatus } from '../../billing/token-limits.ts'
import { type App, nowSeconds } from '../../core/app.ts'
import type { SignedInUser } from '../../core/implement.ts'
import * as rows from '../../db/queries/first-steps.ts'
import { type CachedToken, groupCache, makeCachedToken } from '../../relay/auth/token-cache.ts'
import type { Channel } from '../../relay/channels/channel.ts'
import { callableModels } from '../../relay/model-list/callable.ts'
import { hasPricedModel, unpricedModels } from '../../relay/model-list/priced.ts'
import { channelIndex } from '../../relay/routing/channel-index.ts'

const unpricedMax = 20

/** The steps of a new installation. A step is done if a call gets past it, by the rules of the relay itself. */
export const readFirstSteps = async (app: App, user: SignedInUser): Promise<FirstSteps> => {
  const priceNames = await rows.listPriceNames(app.db)
  const channel = await readChannelStep(app, user, priceNames)
  return {
    address: { done: app.settings().site.ServerAddress !== '' },
    channel,
    key: await readKeyStep(app, user, channel.done ? priceNames : undefined),
    call: await readCallStep(app),
  }
}

const readChannelStep = async (
  app: App,
  user: SignedInUser,
  priceNames: readonly string[],
): Promise<FirstSteps['channel']> => {
  const { byId } = await channelIndex(app).get()
  const groups = [...(await groupCache(app).get())]
    .filter(([symbol, { isPublic }]) => isPublic || symbol === user.group)
    .map(([symbol]) => symbol)
  const serving = [...byId.values()]
  const usable = serving.filter(each => each.groups.some(group => groups.includes(group)))
  const done = usable.some(each => hasPricedModel(app, each, groups, priceNames))
  const unpriced = usable
    .map(channel => ({ channel, models: unpricedModels(app, channel, groups) }))
    .filter(({ models }) => models.length > 0)
  const models = [...new Set(unpriced.flatMap(each => each.models))]
  const { missing, row }: Missing = done
    ? { missing: '', row: unpriced[0]?.channel }
    : await findMissing(app, serving, usable)
  return {
    ...{ done, missing, channel_id: row?.id ?? 0, channel_name: row?.name ?? '' },
    ...{ unpriced: models.slice(0, unpricedMax), unpriced_count: models.length },
  }
}

type Missing = {
  missing: FirstSteps['channel']['missing']
  row?: { id: number; name: string } | undefined
}

/** The channel that is closest to an answered call, and what keeps it from one. */
const findMissing = async (
  app: App,
  serving: readonly Channel[],
  usable: readonly Channel[],
): Promise<Missing> => {
  if (usable.length > 0) return { missing: 'unpriced', row: usable[0] }
  if (serving.length > 0) return { missing: 'group', row: serving[0] }
  const stored = await rows.listChannels(app.db)
  const enabled = stored.find(({ status }) => status === 1)
  if (enabled) return { missing: 'unusable', row: enabled }
  const [newest] = stored
  return newest ? { missing: 'disabled', row: newest } : { missing: 'none' }
}

type KeyMissing = FirstSteps['key']['missing']

/** A key that lacks only the first of these is closer to an answered call than one that lacks the last. */
const closestFirst: KeyMissing[] = [
  ...(['', 'balance', 'models', 'group', 'exhausted', 'expired', 'disabled'] as const),
]

/** `priceNames` is undefined where no channel serves: no key could call anything then, which is the step before. */
const readKeyStep = async (
  app: App,
  user: SignedInUser,
  priceNames: readonly string[] | undefined,
): Promise<FirstSteps['key']> => {
  const tokens = await rows.listTokens(app.db, user.userId)
  const found = await Promise.all(tokens.map(each => keyMissing(app, each, priceNames)))
  const missing = closestFirst.find(each => found.includes(each))
  if (missing === undefined) return { done: false, missing: 'none', token_id: 0, token_name: '' }
  const { tokenId: token_id, tokenName: token_name } = tokens[found.indexOf(missing)]!
  return { done: missing === '', missing, token_id, token_name }
}

const statusMissing = { 2: 'disabled', 3: 'expired', 4: 'exhausted' } as const

const keyMissing = async (
  app: App,
  row: rows.FirstTokenRow,
  priceNames: readonly string[] | undefined,
): Promise<KeyMissing> => {
  const status = tokenStatus(row, nowSeconds(app))
  if (status !== 1) return statusMissing[status]
  const token = makeCachedToken(row)
  const group = (await groupCache(app).get()).get(token.caller.group)
  if (!group?.isPublic && (!group || token.caller.group !== token.caller.userGroup)) return 'group'
  if (row.balance <= 0) return 'balance'
  return !priceNames || (await mayCallAny(app, token, priceNames)) ? '' : 'models'
}

const mayCallAny = async (
  app: App,
  { caller, models }: CachedToken,
  priceNames: readonly string[],
): Promise<boolean> => {
  const callable = await callableModels(app, caller)
  if (models) return [...models].some(each => callable.groupOf(each) !== undefined)
  if (callable.names().length > 0) return true
  // A channel may have only patterns, which no list of models names.
  const { byId } = await channelIndex(app).get()
  const groups = [caller.group, caller.backupGroup]
  return [...byId.values()].some(each => hasPricedModel(app, each, groups, priceNames))
}

const readCallStep = async (app: App): Promise<FirstSteps['call']> => {
  if (await rows.hasAnsweredCall(app.db)) return { done: true, missing: '', log_id: 0, code: '' }
  const failed = await rows.findLastFailure(app.db)
  const missing = failed ? 'failed' : 'none'
  return { done: false, missing, log_id: failed?.id ?? 0, code: failed?.content ?? '' }
}
