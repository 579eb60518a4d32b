import { z } from 'zod'
import { CostList, Currency } from './costs.ts'
import { get, Id, put } from './resource.ts'

/**
 * The source of the price of a model. `own`: the list itself; `list`: the vendor's page; `upstream`: the price list of an
 * upstream that is a gateway; `upstream_group`: the vendor's page, times the multiplier of that upstream.
 */
export const costSources = ['own', 'list', 'upstream', 'upstream_group', 'unknown'] as const
export type CostSource = (typeof costSources)[number]

/** Amounts per million tokens, or per call, which has an input only. Decimals in text. */
const Sides = z.object({
  input: z.string(),
  output: z.string().nullable(),
  /** The price of a cache read. */
  cached: z.string().nullable(),
})
export type PriceSides = z.output<typeof Sides>

/** Per cent of the selling price that stay. Null: one of the two, or the rate of the currency, is not known. */
const Margin = z.object({
  input: z.number().nullable(),
  output: z.number().nullable(),
  cached: z.number().nullable(),
})

const ModelCost = z.object({
  model: z.string(),
  /** Its name at the upstream. */
  upstream_model: z.string(),
  source: z.enum(costSources),
  /** Null: not known. */
  type: z.enum(['tokens', 'times']).nullable(),
  currency: Currency.nullable(),
  cost: Sides.nullable(),
  /** The price for users of the group ratio 1, in USD. Null: the model has no price. */
  price: Sides.nullable(),
  margin: Margin,
})
export type ModelCost = z.output<typeof ModelCost>

const StoredCostList = z.object({
  /** Null: the list before it was removed. */
  list: CostList.nullable(),
  /** Seconds. */
  valid_from: z.number(),
  created_by: z.number(),
  /** Empty: that account is gone. */
  created_by_name: z.string(),
})

export const ChannelCosts = z.object({
  /** Null: nobody wrote one, so that `default_base` holds. */
  list: CostList.nullable(),
  /** The base of a channel without a list. */
  default_base: CostList.shape.base,
  /** The channel type is a gateway, whose price list may be the base. */
  has_upstream: z.boolean(),
  /** The multiplier of the group at that upstream, as it was read last. Null: not known. */
  upstream_ratio: z.string().nullable(),
  /** At most 50, newest first. */
  history: z.array(StoredCostList),
  models: z.array(ModelCost),
})
export type ChannelCosts = z.output<typeof ChannelCosts>

export const channelCosts = {
  costs: get('/:id/costs', {
    access: 'admin',
    input: Id,
    response: ChannelCosts,
    summary:
      'What the calls of a channel cost the operator: its list, the history, and the terms of each model',
  }),
  setCosts: put('/:id/costs', {
    access: 'admin',
    input: Id.extend({ list: CostList.nullable() }),
    response: ChannelCosts,
    summary: 'Writes the cost list of a channel for the calls from now on; null removes it',
  }),
}
