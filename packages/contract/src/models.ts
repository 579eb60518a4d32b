import { z } from 'zod'
import { Price } from './prices.ts'
import { get, NoInput, resource } from './resource.ts'

/** The figures in the documents of a model's vendor. An addition to One Hub. */
const VendorInfo = z.object({
  /** Tokens; 0: not known. */
  context_length: z.number(),
  max_tokens: z.number(),
  input_modalities: z.array(z.string()),
  output_modalities: z.array(z.string()),
  source: z.string(),
  date: z.string(),
})
export type VendorInfo = z.output<typeof VendorInfo>

export const AvailableModel = z.object({
  groups: z.array(z.string()),
  owned_by: z.string(),
  price: Price,
  /** The least that a virtual model costs, by the candidate that serves; `price` is the most. Absent: a real model. */
  price_min: Price.optional(),
  /** Counts where the model information is empty. Absent: the shipped list does not have the model. */
  vendor_info: VendorInfo.optional(),
})
export type AvailableModel = z.output<typeof AvailableModel>

/** A model in the format of New API, for its clients. */
const PricedModel = z.object({
  model_name: z.string(),
  vendor_id: z.number(),
  owner_by: z.string(),
  /** 0: per token, 1: per call. */
  quota_type: z.union([z.literal(0), z.literal(1)]),
  /** Per token: 1 is $0.002 per 1,000 tokens. */
  model_ratio: z.number(),
  /** Per call: USD. */
  model_price: z.number(),
  /** Output price divided by input price. */
  completion_ratio: z.number(),
  /** Cache read price divided by input price. Absent: 1. */
  cache_ratio: z.number().optional(),
  /** Ratios of tiers, speeds and regions, under the keys of `extra_ratios`. Absent: none. An addition to New API. */
  mode_ratio: z.record(z.string(), z.number()).optional(),
  enable_groups: z.array(z.string()),
  supported_endpoint_types: z.array(z.string()),
})

/** The response of New API, with lists next to `data`. */
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
    input: NoInput,
    response: z.record(z.string(), AvailableModel),
    summary:
      'Models of the public groups and of the caller’s group; public if the settings allow it',
  }),
  pricing: get('/pricing', {
    access: 'optional',
    input: NoInput,
    response: Pricing,
    envelope: false,
    summary: 'Available models in the format of New API, for its clients',
  }),
})
