import {
  type Delivery,
  Fault,
  type NewAccountTarget,
  type NewSiteTarget,
  type NotificationTarget,
} from '@hub/contract'
import { z } from 'zod'
import { type App, nowSeconds } from '../core/app.ts'
import { definedOnly, mapPage, required, requireMatch } from '../core/crud.ts'
import * as deliveries from '../db/queries/deliveries.ts'
import * as rows from '../db/queries/notification-targets.ts'
import * as outbox from '../db/queries/notifications.ts'
import { notifiers } from '../integrations/notifiers/index.ts'
import { randomText } from '../lib/random.ts'
import {
  mergeConfig,
  notifierOf,
  openConfig,
  readConfig,
  sealConfig,
  secretFields,
} from './config.ts'
import { deliverNext } from './deliver.ts'
import { titleOf } from './render.ts'

type NewTarget = z.output<typeof NewSiteTarget> | z.output<typeof NewAccountTarget>
type TargetPatch = { id: number } & {
  [K in keyof Omit<NewTarget, 'type'>]?: NewTarget[K] | undefined
}

const targetsPerUserMax = 20

/** Lists the kinds of targets with their forms. Only administrators choose the address of an e-mail. */
export const listTypes = (userId: number) =>
  notifiers.map(({ id, name, config }) => ({
    type: id,
    name,
    config: z.toJSONSchema(
      userId === rows.administrators || !('address' in config.shape)
        ? config
        : config.omit({ address: true }),
      { io: 'input' },
    ),
  }))

const toTarget = (app: App, row: rows.TargetRow): NotificationTarget => {
  const stored = openConfig(app, row)
  const secrets = secretFields(notifierOf(row.type))
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    config: Object.fromEntries(Object.entries(stored).filter(([name]) => !secrets.includes(name))),
    secrets_set: secrets.filter(name => Boolean(stored[name])),
    events: JSON.parse(row.events) as string[],
    language: row.language as NotificationTarget['language'],
    digest: row.digest as NotificationTarget['digest'],
    quiet_from: row.quiet_from,
    quiet_to: row.quiet_to,
    enabled: row.enabled === 1,
    created_at: row.created_at,
  }
}

export const getTarget = async (app: App, userId: number, id: number) =>
  toTarget(app, required(await rows.find(app.db, userId, id)))

type ListInput = Parameters<typeof rows.list>[2]

export const listTargets = (app: App, userId: number, input: ListInput) =>
  mapPage(rows.list(app.db, userId, input), row => toTarget(app, row))

export const createTarget = async (app: App, userId: number, input: NewTarget) => {
  const notifier = notifierOf(input.type)
  const config = readConfig(notifier, input.config, userId === rows.administrators)
  const id = await app.db.transaction().execute(async tx => {
    const made = await rows.insert(tx, {
      user_id: userId,
      name: input.name,
      type: input.type,
      config_sealed: '',
      events: JSON.stringify(input.events),
      language: input.language,
      digest: input.digest,
      quiet_from: input.quiet_from,
      quiet_to: input.quiet_to,
      enabled: Number(input.enabled),
      next_at_ms: 0,
      created_at: nowSeconds(app),
    })
    if ((await rows.countOfUser(tx, userId)) > targetsPerUserMax)
      throw new Fault('notification.limit')
    await rows.update(tx, userId, made, { config_sealed: sealConfig(app, made, config) })
    return made
  })
  return getTarget(app, userId, id)
}

export const updateTarget = async (app: App, userId: number, patch: TargetPatch) => {
  const row = required(await rows.find(app.db, userId, patch.id))
  const { id, config, events, enabled, name, language, digest, quiet_from, quiet_to } = patch
  const isOfSite = userId === rows.administrators
  const merged = config && mergeConfig(notifierOf(row.type), openConfig(app, row), config, isOfSite)
  const change = definedOnly({
    name,
    language,
    digest,
    quiet_from,
    quiet_to,
    events: events && JSON.stringify(events),
    enabled: enabled === undefined ? undefined : Number(enabled),
    config_sealed: merged && sealConfig(app, id, merged),
  })
  await app.db.transaction().execute(async tx => {
    if (Object.keys(change).length > 0) await requireMatch(rows.update(tx, userId, id, change))
    if (enabled === false)
      await outbox.failWaiting(tx, id, 'The target is switched off.', nowSeconds(app))
  })
  return getTarget(app, userId, id)
}

export const removeTarget = (app: App, userId: number, id: number) =>
  requireMatch(app.db.transaction().execute(tx => rows.remove(tx, userId, id)))

const toDelivery = (row: deliveries.DeliveryRow): Delivery => ({
  id: row.id,
  event: row.event,
  target_id: row.target_id,
  target_name: row.target_name,
  state: row.state,
  count: row.count,
  attempts: row.attempts,
  created_at: row.created_at,
  next_attempt_at: row.run_at,
  ended_at: row.ended_at ?? 0,
  title: titleOf(row.language, row),
  failure: row.failure,
})

type DeliveryInput = {
  page: number
  size: number
  order?: string | undefined
  target_id?: number | undefined
  state?: outbox.NotificationRow['state'] | undefined
}

export const listDeliveries = (app: App, userId: number, { target_id, ...input }: DeliveryInput) =>
  mapPage(deliveries.list(app.db, userId, { ...input, targetId: target_id }), toDelivery)

export const resend = (app: App, userId: number, id: number) =>
  requireMatch(deliveries.resend(app.db, userId, id, nowSeconds(app)))

/** Sends a test message at once unless the service needs a pause; then it stays queued. */
export const testTarget = async (app: App, userId: number, id: number): Promise<Delivery> => {
  required(await rows.find(app.db, userId, id))
  const row = { event: 'test', event_key: `test:${randomText(12)}`, target_id: id, facts: '{}' }
  const added = required(await outbox.add(app.db, row, nowSeconds(app)))
  const read = async () => required(await deliveries.find(app.db, userId, added))
  while ((await read()).attempts === 0 && (await deliverNext(app, id)));
  return toDelivery(await read())
}
