import { isDeepStrictEqual } from 'node:util'
import { type App, nowSeconds } from '../../core/app.ts'
import { reportFailure, reportSuccess } from '../../core/health/services.ts'
import { emit } from '../../core/notifications/emit.ts'
import * as audit from '../../db/queries/audit.ts'
import * as watches from '../../db/queries/channel-watches.ts'
import * as rows from '../../db/queries/channels.ts'
import { administrators } from '../../db/queries/notification-targets.ts'
import { sha256 } from '../../lib/random.ts'
import { type Channel, listOf } from '../../relay/channels/channel.ts'
import { listOffered } from '../fetch-models.ts'
import { changeModels } from './change-models.ts'
import { isPriced, type Proposal, proposalOf, watchOptionsOf } from './proposal.ts'

/** A second list within minutes says no more than the first, so that it does not count as another one. */
const nextListSeconds = 1_800

/**
 * Reads the vendor's list of a channel that watches it. A failure changes no model; administrators are notified of the
 * third in a row.
 */
export const watchModels = async (app: App, channel: Channel): Promise<void> => {
  const { id, name } = channel
  const service = { service: 'model_list', id, name } as const
  try {
    const offered = await listOffered(app, channel)
    await storeList(app, id, offered)
  } catch (error) {
    await watches.storeAttempt(app.db, id, nowSeconds(app))
    await reportFailure(app, service, error)
    return
  }
  await reportSuccess(app, service)
  await applyChange(app, channel)
  await notifyOfProposal(app, channel)
}

const storeList = (app: App, channel_id: number, offered: readonly string[]): Promise<void> =>
  app.db.transaction().execute(async tx => {
    await rows.lockMany(tx, [channel_id])
    const before = await watches.find(tx, channel_id)
    const now = nowSeconds(app)
    const isEqual = before !== undefined && isDeepStrictEqual(JSON.parse(before.offered), offered)
    const isNext = before !== undefined && now - before.read_at >= nextListSeconds
    await watches.store(tx, {
      channel_id,
      checked_at: now,
      read_at: now,
      offered: JSON.stringify(offered),
      equal_reads: isEqual ? before.equal_reads + (isNext ? 1 : 0) : 1,
      notified: before?.notified ?? '[]',
    })
  })

/**
 * In the mode `apply`. Models without a price stay a proposal, and so does each removal: vendors serve names that they do
 * not list, such as aliases.
 */
const applyChange = async (app: App, { id, name }: Channel): Promise<void> => {
  const { add } = await changeModels(app, id, ({ mode, added }, row) => {
    const groups = listOf(row.group)
    const isAdded = (model: string) => mode === 'apply' && isPriced(app, groups, model)
    return { add: added.filter(isAdded), remove: [] }
  })
  if (add.length === 0) return
  app.log.info({ channel: id, add }, 'a channel takes over new models of its vendor')
  await audit.append(app.db, {
    at: nowSeconds(app),
    actor_id: 0,
    actor_name: 'gateway',
    action: 'channels.applyModels',
    target: `channel ${id} ${name}`,
    input: JSON.stringify({ id, add }),
    outcome: '',
    source_ip: '',
    request_id: '',
  })
}

const namesMax = 20

/** Once for each name: a name that is still proposed at the next reading is not repeated. */
const notifyOfProposal = (app: App, { id, name }: Channel): Promise<void> =>
  app.db.transaction().execute(async tx => {
    await rows.lockMany(tx, [id])
    const row = await rows.find(tx, id)
    const watch = await watches.find(tx, id)
    if (!row || !watch) return
    const { added, removed }: Proposal = proposalOf(row, watch)
    const proposed = [...added.map(each => `+${each}`), ...removed.map(each => `-${each}`)]
    const notified = new Set(JSON.parse(watch.notified || '[]') as string[])
    const fresh = proposed.filter(each => !notified.has(each))
    await watches.storeNotified(tx, id, JSON.stringify(proposed))
    if (fresh.length === 0) return
    const rest = fresh.length > namesMax ? ', …' : ''
    await emit(app, tx, {
      event: 'channel.models',
      key: `channel.models:${id}:${sha256(JSON.stringify(fresh)).slice(0, 32)}`,
      userIds: [administrators],
      facts: {
        name,
        added: added.length,
        removed: removed.length,
        models: fresh.slice(0, namesMax).join(', ') + rest,
      },
    })
  })

export const hasWatch = (row: { plugin: string }): boolean => watchOptionsOf(row).mode !== 'off'
