import { z } from 'zod'
import {
  type Access,
  crud,
  get,
  Id,
  ListQuery,
  NoData,
  NoInput,
  orderQuery,
  pageOf,
  patchOf,
  post,
  resource,
  rowFields,
} from './resource.ts'

/** Events of the site, for administrators. */
export const siteEvents = [
  'channel.status',
  'channel.funds',
  'channel.balance',
  'channel.models',
  'channel.ratio',
  'order.paid',
  'order.review',
  'task.failed',
  'price.waiting',
  'spend.unusual',
  'model.below_cost',
  'node.lost',
  'backup.failed',
  'backup.late',
  'job.failed',
  'mail.failed',
  'notifier.failed',
  'payment.failed',
  'price_list.failed',
  'bot.failed',
  'task_storage.failed',
  'balance.failed',
  'model_list.failed',
] as const

/** Events of one account, for its user. */
export const accountEvents = [
  'balance.low',
  'order.paid',
  'order.review',
  'task.failed',
  'invoice.ready',
  'sign_in.new_device',
  'credential.changed',
  'spend.unusual',
] as const

export type NotificationEvent =
  | (typeof siteEvents)[number]
  | (typeof accountEvents)[number]
  /** Sent by the test button only. */
  | 'test'

export const notificationLanguages = ['zh_CN', 'zh_HK', 'en_US', 'ja_JP'] as const
export const digests = ['none', 'hourly', 'daily'] as const

/** Text by field name; the fields depend on the type. */
const Config = z.record(z.string().max(100), z.string().max(2000))
/** `HH:MM` */
const TimeOfDay = z.union([z.literal(''), z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)])

const makeFields = <const E extends readonly [string, ...string[]]>(events: E) => ({
  name: z.string().trim().min(1).max(50),
  /** The id of a notifier, such as `webhook`. It never changes. */
  type: z.string().min(1).max(20),
  config: Config.default({}),
  events: z
    .array(z.enum(events))
    .max(events.length)
    .transform(list => [...new Set(list)])
    .default([]),
  language: z.enum(notificationLanguages).default('en_US'),
  /** Collects events for one message an hour, or one a day at 9:00 of the site's time zone. */
  digest: z.enum(digests).default('none'),
  /** Between these times nothing is sent, except security events. Both empty: no quiet hours. */
  quiet_from: TimeOfDay.default(''),
  quiet_to: TimeOfDay.default(''),
  enabled: z.boolean().default(true),
})

const makeSchemas = <const E extends readonly [string, ...string[]]>(events: E) => {
  const fields = makeFields(events)
  const create = z.object({ ...fields, config: fields.config.meta({ secret: true }) })
  const { type: _, ...changeable } = create.shape
  const row = z.object({
    id: z.number(),
    ...fields,
    /** Without secrets. */
    config: Config,
    events: z.array(z.string()),
    /** Names of the secret fields that are set. */
    secrets_set: z.array(z.string()),
    created_at: z.number(),
  })
  /** A field that is absent stays unchanged; in `config`, so does a secret that is absent or empty. */
  return { row, create, update: Id.extend(patchOf(z.object(changeable)).shape) }
}

const site = makeSchemas(siteEvents)
export const NotificationTarget = site.row
export type NotificationTarget = z.output<typeof NotificationTarget>
export const NewSiteTarget = site.create
export const NewAccountTarget = makeSchemas(accountEvents).create

/** A kind of target. */
export const NotifierType = z.object({
  type: z.string(),
  name: z.string(),
  /** JSON Schema of `config`. Secret fields have `secret: true`. The console renders it as a form. */
  config: z.record(z.string(), z.unknown()),
})
export type NotifierType = z.output<typeof NotifierType>

export const deliveryStates = ['waiting', 'sent', 'failed'] as const

/** One event for one target. */
export const Delivery = z.object({
  id: z.number(),
  event: z.string(),
  target_id: z.number(),
  target_name: z.string(),
  state: z.enum(deliveryStates),
  /** How often the event happened in the window that this delivery stands for. */
  count: z.number(),
  attempts: z.number(),
  created_at: z.number(),
  /** The time of the next attempt, while it waits. */
  next_attempt_at: z.number(),
  /** 0: not ended. */
  ended_at: z.number(),
  /** The title in the language of the target. */
  title: z.string(),
  /** Why the last attempt failed. */
  failure: z.string(),
})
export type Delivery = z.output<typeof Delivery>

const DeliveryList = ListQuery.extend({
  target_id: z.number().int().positive().optional(),
  state: z.enum(deliveryStates).optional(),
  order: orderQuery('id', 'created_at', 'ended_at'),
})

/** The endpoints of targets; those of administrators and those of each user differ in the events and the owner. */
export const targetEndpoints = <
  const A extends Access,
  const E extends readonly [string, ...string[]],
>(
  access: A,
  events: E,
) => {
  const { row, create, update } = makeSchemas(events)
  return {
    ...crud(
      access,
      { row, list: ListQuery, create, created: row, update },
      {
        list: 'Targets of notifications, without their secrets',
        get: 'One target',
        create: 'Adds a target',
        update: 'Changes a target; absent fields and absent secrets stay',
        remove: 'Deletes a target and its deliveries',
      },
      { ignored: rowFields(row, 'type', 'secrets_set', 'created_at') },
    ),
    types: get('/type', {
      access,
      input: NoInput,
      response: z.array(NotifierType),
      summary: 'Every kind of target, with its form',
    }),
    test: post('/:id/test', {
      access,
      input: Id,
      response: Delivery,
      limit: 'messages',
      summary: 'Sends a test message now, and returns its delivery',
    }),
    deliveries: get('/delivery', {
      access,
      input: DeliveryList,
      response: pageOf(Delivery),
      summary: 'Sent, waiting and failed deliveries of the last 30 days',
    }),
    resend: post('/delivery/:id/resend', {
      access,
      input: Id,
      response: NoData,
      summary: 'Tries a failed delivery again, under the same message id',
    }),
  }
}

export const notifications = resource('/api/notification', targetEndpoints('admin', siteEvents))
