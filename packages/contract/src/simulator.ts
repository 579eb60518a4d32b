import { z } from 'zod'
import { Price } from './prices.ts'
import { Decimal, post, resource } from './resource.ts'

/** Points of many requests together may be more than a number in JSON can hold exactly. */
const Total = z.string().regex(/^\d+$/)

export const Simulation = z.object({
  /** How many days back from now. */
  days: z.number().int().min(1).max(366).default(7),
  /** Prices that take the place of stored ones of the same name, or stand beside them. */
  prices: z.array(Price).max(500).default([]),
  /** Ratios that groups would have had. */
  groups: z
    .array(z.object({ symbol: z.string().min(1).max(50), ratio: Decimal }))
    .max(500)
    .default([]),
})

export const SimulatedModel = z.object({
  model: z.string(),
  requests: z.number(),
  /** Points that were charged, and that would have been. */
  charged: Total,
  simulated: Total,
})
export type SimulatedModel = z.output<typeof SimulatedModel>

export const simulator = resource('/api/simulator', {
  replay: post('/', {
    access: 'admin',
    audit: false,
    input: Simulation.extend({
      /** Where the last piece ended: `next` of the answer before. */
      cursor: z
        .string()
        .regex(/^\d{1,12}:\d{1,12}:\d{1,12}:\d{1,16}$/)
        .optional(),
    }),
    reply: z.object({
      /** Of this piece only, by the model billed: the caller adds them up. */
      models: z.array(SimulatedModel),
      /** Requests that carry no receipt, and so were left out on both sides. */
      skipped: z.number(),
      /** Seconds: from where to where is looked at, and how far this piece came. */
      from: z.number(),
      until: z.number(),
      reached: z.number(),
      /** Null: this was the last piece. */
      next: z.string().nullable(),
    }),
    summary: 'What past requests would have cost under other prices, a few thousand at a time',
  }),
})
