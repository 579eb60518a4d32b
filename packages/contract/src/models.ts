import { z } from 'zod'
import { Price } from './prices.ts'
import { get, Nothing, resource } from './resource.ts'

export const AvailableModel = z.object({
  groups: z.array(z.string()),
  owned_by: z.string(),
  price: Price,
})
export type AvailableModel = z.output<typeof AvailableModel>

/** A model as New API lists it: what its clients read, and nothing of ours. */
const PricedModel = z.object({
  model_name: z.string(),
  vendor_id: z.number(),
  owner_by: z.string(),
  /** 0: by tokens, 1: by the call. */
  quota_type: z.union([z.literal(0), z.literal(1)]),
  /** By tokens: 1 is $0.002 for 1,000 tokens. */
  model_ratio: z.number(),
  /** By the call: USD. */
  model_price: z.number(),
  /** The price of the output over that of the input. */
  completion_ratio: z.number(),
  /** The price of a cache read over that of the input, where it is another. */
  cache_ratio: z.number().optional(),
  enable_groups: z.array(z.string()),
  supported_endpoint_types: z.array(z.string()),
})

/** New API's answer; its lists stand beside `data`. */
const Pricing = z.object({
  success: z.literal(true),
  message: z.literal(''),
  data: z.array(PricedModel),
  vendors: z.array(z.object({ id: z.number(), name: z.string(), icon: z.string() })),
  group_ratio: z.record(z.string(), z.number()),
  usable_group: z.record(z.string(), z.string()),
  supported_endpoint: z.record(z.string(), z.object({ path: z.string(), method: z.string() })),
  auto_groups: z.array(z.string()),
})

export const models = resource('/api', {
  available: get('/available_model', {
    access: 'optional',
    input: Nothing,
    reply: z.record(z.string(), AvailableModel),
    summary:
      'Models of the public groups and of the caller’s own; to visitors if the settings allow it',
  }),
  pricing: get('/pricing', {
    access: 'optional',
    input: Nothing,
    reply: Pricing,
    envelope: false,
    summary: 'The same in the shape of New API, for its clients',
  }),
})
