import { z } from 'zod'
import { Decimal, Done, del, get, Nothing, post, put, resource, Seconds } from './resource.ts'
import { extraRatioKeys } from './usage-classes.ts'

/** A name; `*` may end it and then stands for anything. */
const PriceName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^*]+\*?$/, '`*` may only end a name')

/** The price of a call whose prompt has more than `above` tokens, cached ones counted. All of the call is at this price. */
const Tier = z.object({ above: z.number().int().min(1).max(1e9), input: Decimal, output: Decimal })

/** `web_search`, or `image_generation:high-1024x1024`: a quality and a size. */
const ToolKind = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,49}(:[a-z0-9.-]{1,49})?$/, 'is no kind of tool')

export const Price = z.object({
  model: PriceName,
  /** `tokens`: input and output are multipliers, 1 = $0.002 per 1,000 tokens. `times`: one call costs input x 1,000 points. */
  type: z.enum(['tokens', 'times']),
  /** The owner of the model: `model_ownedby`. */
  channel_type: z.number().int().min(0).default(0),
  input: Decimal,
  output: Decimal,
  /** Locked prices are never touched by an update of the price list. */
  locked: z.boolean().default(false),
  extra_ratios: z.partialRecord(z.enum(extraRatioKeys), Decimal).nullable().default(null),
  /** Of long prompts: ascending. One Hub has none. */
  tiers: z
    .array(Tier)
    .min(1)
    .max(10)
    .refine(
      tiers => tiers.every(({ above }, at) => at === 0 || above > tiers[at - 1]!.above),
      'each bound must be above the one before it',
    )
    .nullable()
    .default(null),
  /** USD for one call of a tool, where this model's is not the usual one. One Hub has none. */
  tool_prices: z
    .record(ToolKind, Decimal)
    .refine(tools => Object.keys(tools).length <= 50, 'has too many kinds')
    .nullable()
    .default(null),
})
export type Price = z.output<typeof Price>

const Named = z.object({
  name: z.string().min(1).max(200).meta({ description: 'The stored name, URL-encoded.' }),
})

/** How a list meets the prices that are there. Locked ones stay in any case. */
export const syncModes = ['add', 'update', 'overwrite'] as const
const SyncMode = z.enum(syncModes)
export type SyncMode = z.output<typeof SyncMode>

const Names = z.array(PriceName).min(1).max(5000)
const PriceList = z
  .array(Price)
  .min(1)
  .max(10_000)
  .refine(list => new Set(list.map(each => each.model)).size === list.length, 'names a model twice')

/** One price for many models, as a form asks for it. */
export const ManyPrices = Price.omit({ model: true }).extend({ models: Names })
export type ManyPrices = z.output<typeof ManyPrices>
/** The same from a moment on, in seconds. */
export const LaterPrices = ManyPrices.extend({ at: Seconds })
export type LaterPrices = z.output<typeof LaterPrices>

/** One line of a preview. */
export const PriceChange = z.object({
  model: z.string(),
  kind: z.enum(['add', 'change', 'remove']),
  before: Price.nullable(),
  after: Price.nullable(),
  /** By how much it becomes dearer, in percent, at two places; null where there is nothing to compare. */
  input_percent: z.number().nullable(),
  output_percent: z.number().nullable(),
})
export type PriceChange = z.output<typeof PriceChange>

export const PricePlan = z.object({
  /** Of these very changes on these very prices: what is applied with it is what was shown. */
  digest: z.string(),
  changes: z.array(PriceChange),
  unchanged: z.number(),
  /** Locked prices that the list would have changed. */
  locked: z.array(z.string()),
})
export type PricePlan = z.output<typeof PricePlan>

const ListSource = z.object({
  prices: z.array(Price),
  /** Whose format it was. */
  format: z.enum(['one-hub', 'new-api']),
  /** What was left out, and why. */
  skipped: z.array(z.object({ model: z.string(), why: z.string() })),
})

export const ScheduledPrice = z.object({
  model: z.string(),
  /** Seconds: from then on it counts. */
  at: Seconds,
  price: Price,
})
export type ScheduledPrice = z.output<typeof ScheduledPrice>

const LastChange = z.object({
  at: Seconds,
  actor_name: z.string(),
  what: z.enum(['multiple', 'delete', ...syncModes]),
  count: z.number(),
})

export const prices = resource('/api/prices', {
  list: get('/', {
    access: 'optional',
    input: z.object({ type: z.enum(['db', 'default']).default('db') }),
    reply: z.array(Price),
    summary: 'All prices, or the built-in list; to visitors if the settings allow it',
  }),
  models: get('/model_list', {
    access: 'admin',
    input: Nothing,
    reply: z.array(z.string()),
    summary: 'Priced models and models of enabled channels',
  }),
  create: post('/single', { access: 'admin', input: Price, reply: Price, summary: 'Adds a price' }),
  update: put('/single/*name', {
    access: 'admin',
    input: Price.extend(Named.shape),
    reply: Price,
    summary: 'Changes a price, also its name',
  }),
  remove: del('/single/*name', {
    access: 'admin',
    input: Named,
    reply: Done,
    summary: 'Deletes a price',
  }),
  multiple: post('/multiple', {
    access: 'admin',
    input: z.object({
      original_models: z.array(PriceName).max(5000).default([]),
      models: Names,
      /** Its name is not looked at; One Hub's console sends `batch`. */
      price: Price,
    }),
    reply: Done,
    summary:
      'One price for many models: adds, changes, and deletes those that are only in original_models',
  }),
  removeMultiple: put('/multiple/delete', {
    access: 'admin',
    input: z.object({ models: Names }),
    reply: Done,
    summary: 'Deletes many prices, locked ones too',
  }),
  source: get('/updateService', {
    access: 'admin',
    input: Nothing,
    reply: z.string(),
    summary: 'The address of the price list',
  }),
  read: post('/read', {
    access: 'admin',
    audit: false,
    input: z
      .object({ address: z.url({ protocol: /^https?$/ }).max(2000), text: z.string().max(1e6) })
      .partial()
      .refine(
        ({ address, text }) => (address === undefined) !== (text === undefined),
        'give an address or a text',
      ),
    reply: ListSource,
    summary:
      'Reads a price list of One Hub or New API, from an address or as pasted; changes nothing',
  }),
  preview: post('/preview', {
    access: 'admin',
    audit: false,
    input: z.object({ mode: SyncMode, prices: PriceList }),
    reply: PricePlan,
    summary: 'What a list would change; changes nothing',
  }),
  sync: post('/sync', {
    access: 'admin',
    input: z
      .object({
        /** One Hub's `system` adds too. */
        updateMode: z.enum([...syncModes, 'system']).default('system'),
        prices: PriceList,
        /** Of the preview: refused if anything of it is not so any more. */
        digest: z.string().max(100).optional(),
      })
      .meta({ list: 'prices' }),
    reply: PricePlan,
    summary: 'Applies a list, which may be the whole body; locked prices stay',
  }),
  lastChange: get('/undo', {
    access: 'admin',
    input: Nothing,
    reply: LastChange.nullable(),
    summary: 'The last change of many prices, as long as it can be taken back',
  }),
  undo: post('/undo', {
    access: 'admin',
    input: Nothing,
    reply: Done,
    summary: 'Takes the last change of many prices back; refused if one of them was changed since',
  }),
  scheduled: get('/schedule', {
    access: 'admin',
    input: Nothing,
    reply: z.array(ScheduledPrice),
    summary: 'Prices that will count later',
  }),
  schedule: post('/schedule', {
    access: 'admin',
    input: z.object({ models: Names, price: Price, at: Seconds }),
    reply: Done,
    summary: 'Sets the price that models have from a moment on',
  }),
  unschedule: del('/schedule', {
    access: 'admin',
    input: z.object({ model: PriceName, at: Seconds }),
    reply: Done,
    summary: 'Leaves a model at its price',
  }),
})
