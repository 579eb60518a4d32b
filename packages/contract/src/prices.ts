import { z } from 'zod'
import { moneyNumber } from './money-bounds.ts'
import { del, get, ListSource, NoData, NoInput, post, put, resource, Seconds } from './resource.ts'
import { extraRatioKeys } from './usage-classes.ts'

/** A model name. A trailing `*` matches any text. */
const PriceName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^*]+\*?$/, '`*` may only end a name')

/** The price of the whole call if its prompt has more than `above` tokens, cached tokens included. */
const Tier = z.object({
  above: z.number().int().min(1).max(1e9),
  input: moneyNumber('price'),
  output: moneyNumber('price'),
})

/** Such as `web_search`, or `image_generation:high-1024x1024` with quality and size. */
const ToolKind = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,49}(:[a-z0-9.-]{1,49})?$/, 'is no kind of tool')

export const Price = z.object({
  model: PriceName,
  /** `tokens`: input and output are multipliers, 1 = $0.002 per 1,000 tokens. `times`: one call costs input x 1,000 points. */
  type: z.enum(['tokens', 'times']),
  /** The owner of the model: `model_ownedby`. */
  channel_type: z.number().int().min(0).default(0),
  input: moneyNumber('price'),
  output: moneyNumber('price'),
  /** An update from a price list never changes a locked price. */
  locked: z.boolean().default(false),
  extra_ratios: z
    .partialRecord(z.enum(extraRatioKeys), moneyNumber('extraRatio'))
    .nullable()
    .default(null),
  /** Prices of long prompts, ascending. An addition to One Hub. */
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
  /** USD per call of a tool, if this model has another price than the default. An addition to One Hub. */
  tool_prices: z
    .record(ToolKind, moneyNumber('toolPrice'))
    .refine(tools => Object.keys(tools).length <= 50, 'has too many kinds')
    .nullable()
    .default(null),
})
export type Price = z.output<typeof Price>

const PriceByName = z.object({
  name: z.string().min(1).max(200).meta({ description: 'The stored name, URL-encoded.' }),
})

/** The effect of a list on existing prices. Locked prices always stay. */
export const syncModes = ['add', 'update', 'overwrite'] as const
const SyncMode = z.enum(syncModes)
export type SyncMode = z.output<typeof SyncMode>

const UniqueNames = z
  .array(PriceName)
  .max(5000)
  .superRefine((names, context) => {
    const seen = new Set<string>()
    const twice = names.find(name => seen.size === seen.add(name).size)
    if (twice !== undefined) context.addIssue(`names ${twice} twice`)
  })
const Names = UniqueNames.min(1)
const PriceList = z
  .array(Price)
  .min(1)
  .max(10_000)
  .refine(list => new Set(list.map(each => each.model)).size === list.length, 'names a model twice')

/** One price for many models. */
export const ManyPrices = Price.omit({ model: true }).extend({ models: Names })
export type ManyPrices = z.output<typeof ManyPrices>
/** One price for many models from `at` on. */
export const ManyScheduledPrices = ManyPrices.extend({ at: Seconds })
export type ManyScheduledPrices = z.output<typeof ManyScheduledPrices>

/** One line of a preview. */
export const PriceChange = z.object({
  model: z.string(),
  kind: z.enum(['add', 'change', 'remove']),
  before: Price.nullable(),
  after: Price.nullable(),
  /** The price increase in percent, with two decimals. Null: nothing to compare. */
  input_percent: z.number().nullable(),
  output_percent: z.number().nullable(),
})
export type PriceChange = z.output<typeof PriceChange>

export const PricePlan = z.object({
  /** A hash of the changes and the current prices. `sync` with it applies exactly this preview. */
  digest: z.string(),
  changes: z.array(PriceChange),
  unchanged: z.number(),
  /** Locked prices that the list would have changed. */
  locked: z.array(z.string()),
  /** Models that cost nothing after the changes, because the list says 0. */
  free: z.array(z.string()),
})
export type PricePlan = z.output<typeof PricePlan>

const PriceListContent = z.object({
  prices: z.array(Price),
  /** The format of the list; `vendors` is that of the shipped list, with amounts as vendors publish them. */
  format: z.enum(['one-hub', 'new-api', 'vendors']),
  /** Entries that were left out, with the reason. */
  skipped: z.array(z.object({ model: z.string(), why: z.string() })),
})

export const ScheduledPrice = z.object({
  model: z.string(),
  /** The price applies from this time on. */
  at: Seconds,
  price: Price,
})
export type ScheduledPrice = z.output<typeof ScheduledPrice>

/** A price that a model could have, and where it comes from. */
export const PriceSuggestion = z.object({
  model: z.string(),
  /** The model can be charged already: by its name, a prefix, or the default price. */
  has_price: z.boolean(),
  /** Null: no source names one. */
  price: Price.nullable(),
  /** `shipped`: the list of this version. `list`: the one of the settings. `vendor`: the figures of the channel's own list. */
  origin: z.enum(['shipped', 'list', 'vendor']).nullable(),
  /** The page of the price; empty: none is known. */
  source: z.string(),
  /** When the price was read there, such as `2026-11-27` or `2026-11`. */
  date: z.string(),
  note: z.string(),
})
export type PriceSuggestion = z.output<typeof PriceSuggestion>

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
    response: z.array(Price),
    summary: 'All prices, or the built-in list; public if the settings allow it',
  }),
  models: get('/model_list', {
    access: 'admin',
    input: NoInput,
    response: z.array(z.string()),
    summary: 'Priced models and models of enabled channels',
  }),
  create: post('/single', {
    access: 'admin',
    input: Price,
    response: Price,
    summary: 'Adds a price',
  }),
  update: put('/single/*name', {
    access: 'admin',
    input: Price.extend(PriceByName.shape),
    response: Price,
    summary: 'Changes a price, including its name',
  }),
  remove: del('/single/*name', {
    access: 'admin',
    input: PriceByName,
    response: NoData,
    summary: 'Deletes a price',
  }),
  multiple: post('/multiple', {
    access: 'admin',
    input: z.object({
      original_models: UniqueNames.default([]),
      models: Names,
      /** Its `model` is ignored. One Hub's console sends `batch`. */
      price: Price,
    }),
    response: NoData,
    summary:
      'One price for many models: adds, changes, and deletes those that are only in original_models',
  }),
  removeMultiple: put('/multiple/delete', {
    access: 'admin',
    input: z.object({ models: Names }),
    response: NoData,
    summary: 'Deletes many prices, including locked ones',
  }),
  source: get('/updateService', {
    access: 'admin',
    input: NoInput,
    response: z.string(),
    summary: 'The address of the price list',
  }),
  read: post('/read', {
    access: 'admin',
    audit: false,
    input: ListSource,
    response: PriceListContent,
    summary:
      'Reads a price list of One Hub, New API or vendors’ amounts, from an address or as pasted; changes nothing',
  }),
  suggest: post('/suggest', {
    access: 'admin',
    audit: false,
    input: z.object({
      models: z.array(z.string().min(1).max(200)).min(1).max(5_000),
      /** Also asks the list of the settings, for models that the shipped one does not name. */
      from_list: z.boolean().default(false),
      /** Leaves out models that have a price in some enabled group. */
      unpriced_only: z.boolean().default(false),
    }),
    response: z.array(PriceSuggestion),
    summary: 'The price that each model could have, with its source; changes nothing',
  }),
  preview: post('/preview', {
    access: 'admin',
    audit: false,
    input: z.object({ mode: SyncMode, prices: PriceList }),
    response: PricePlan,
    summary: 'Previews the changes of a list; changes nothing',
  }),
  sync: post('/sync', {
    access: 'admin',
    input: z
      .object({
        /** `system` is One Hub's mode, with the effect of `add`. */
        updateMode: z.enum([...syncModes, 'system']).default('system'),
        prices: PriceList,
        /** The digest of the preview. Refused if prices changed since. */
        digest: z.string().max(100).optional(),
      })
      .meta({ list: 'prices' }),
    query: ['updateMode'],
    response: PricePlan,
    summary: 'Applies a list, which may be the whole body; locked prices stay',
  }),
  waiting: get('/waiting', {
    access: 'admin',
    input: NoInput,
    response: z.object({ at: Seconds, models: z.array(z.string()) }).nullable(),
    summary:
      'The models whose changes in the list the last automatic update left to an administrator',
  }),
  lastChange: get('/undo', {
    access: 'admin',
    input: NoInput,
    response: LastChange.nullable(),
    summary: 'The last change of many prices, while it can be undone',
  }),
  undo: post('/undo', {
    access: 'admin',
    input: NoInput,
    response: NoData,
    summary: 'Undoes the last change of many prices; refused if one of them changed since',
  }),
  scheduled: get('/schedule', {
    access: 'admin',
    input: NoInput,
    response: z.array(ScheduledPrice),
    summary: 'Scheduled prices',
  }),
  schedule: post('/schedule', {
    access: 'admin',
    input: z.object({ models: Names, price: Price, at: Seconds }),
    response: NoData,
    summary: 'Schedules a price for models',
  }),
  unschedule: del('/schedule', {
    access: 'admin',
    input: z.object({ model: PriceName, at: Seconds }),
    query: ['model', 'at'],
    response: NoData,
    summary: 'Cancels a scheduled price',
  }),
})
