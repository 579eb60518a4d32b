import { z } from 'zod'
import { moneyNumber } from './money-bounds.ts'
import { Price } from './prices.ts'
import { post, resource } from './resource.ts'

/** Text, because a sum of points may exceed the exact range of a JSON number. */
const Total = z.string().regex(/^\d+$/)

export const Simulation = z.object({
  /** The period ends now. */
  days: z.number().int().min(1).max(366).default(7),
  /** Replace stored prices of the same name, and add to the others. */
  prices: z.array(Price).max(500).default([]),
  /** Assumed group ratios. */
  groups: z
    .array(z.object({ symbol: z.string().min(1).max(50), ratio: moneyNumber('groupRatio') }))
    .max(500)
    .default([]),
})

export const SimulatedModel = z.object({
  model: z.string(),
  requests: z.number(),
  /** Points charged in reality. `simulated` has the points under the assumed prices. */
  charged: Total,
  simulated: Total,
})
export type SimulatedModel = z.output<typeof SimulatedModel>

export const simulator = resource('/api/simulator', {
  replay: post('/', {
    access: 'admin',
    audit: false,
    input: Simulation.extend({
      /** The `next` of the previous response. */
      cursor: z
        .string()
        .regex(/^\d{1,12}:\d{1,12}:\d{1,12}:\d{1,16}$/)
        .optional(),
    }),
    response: z.object({
      /** Sums of this response only, by billed model. The caller adds them up. */
      models: z.array(SimulatedModel),
      /** Requests without a receipt, which are left out of both sums. */
      skipped: z.number(),
      /** Seconds. The period goes from `from` to `until`; this response covers it up to `reached`. */
      from: z.number(),
      until: z.number(),
      reached: z.number(),
      /** Null: this is the last response. */
      next: z.string().nullable(),
    }),
    summary: 'Computes the cost of past requests under other prices, a few thousand per call',
  }),
})
