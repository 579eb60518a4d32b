import { z } from 'zod'
import type { Quirk } from '../quirks.ts'

const slugs = z.array(z.string())
const price = z.union([z.number(), z.string()])

/** https://openrouter.ai/docs/docs/routing/provider-selection */
const Routing = z.strictObject({
  order: slugs.optional(),
  only: slugs.optional(),
  ignore: slugs.optional(),
  allow_fallbacks: z.boolean().optional(),
  require_parameters: z.boolean().optional(),
  data_collection: z.enum(['allow', 'deny']).optional(),
  zdr: z.boolean().optional(),
  enforce_distillable_text: z.boolean().optional(),
  quantizations: slugs.optional(),
  sort: z.union([z.string(), z.looseObject({})]).optional(),
  max_price: z.record(z.string(), price).optional(),
  preferred_min_throughput: z.unknown().optional(),
  preferred_max_latency: z.unknown().optional(),
})
const RoutingByVendor = z.record(z.string(), Routing)

/** Undefined: the text is no routing. */
const readRouting = (text: string) => {
  try {
    return RoutingByVendor.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const message =
  'must be JSON with an object of provider routing per model prefix, such as {"prefix":{"allow_fallbacks":false}}'

export const options = z.object({
  other: z
    .object({
      provider: z
        .string()
        .refine(text => text === '' || readRouting(text) !== undefined, message)
        .optional()
        .meta({ label: 'Routing (JSON)' }),
    })
    .optional(),
})

/** The vendor in a model's name. Aliases begin with `~`. */
const vendorOf = (model: string): string => model.replace(/^~/, '').split('/')[0]!

/** Adds the routing for the vendor of the model, unless the caller has its own. A stored text may be invalid. */
export const addRouting: Quirk = {
  reach: 'top',
  edit: (view, { other }, model) => {
    if (typeof other?.provider !== 'string' || view.has('provider')) return
    const routing = readRouting(other.provider)?.[vendorOf(model)]
    if (routing) view.set('provider', routing)
  },
}
