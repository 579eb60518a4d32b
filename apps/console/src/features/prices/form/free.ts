import { Price } from '@hub/contract'
import { z } from 'zod'
import { normalizePrice } from './fields.tsx'

const { input, output } = Price.shape

/** The amounts of a form. The switch makes all of them optional. */
const amounts = {
  input: input.optional(),
  output: output.optional(),
  /** Nothing costs 0 unless this says so. */
  free: z.boolean().default(false),
}

type Amounts = {
  type: Price['type']
  input?: number | undefined
  output?: number | undefined
  free: boolean
  tool_prices: Price['tool_prices']
}

/** A second of a video, for example, is priced among the tools. */
const hasToolPrice = ({ tool_prices }: Pick<Price, 'tool_prices'>): boolean =>
  Object.values(tool_prices ?? {}).some(each => each > 0)

const rule = 'needs a price above 0, or the switch free'

const requireAmounts = (values: Amounts, context: z.core.$RefinementCtx) => {
  if (values.free || hasToolPrice(values)) return
  const isByCall = values.type === 'times'
  const missing = (isByCall ? ['input'] : ['input', 'output']).filter(
    side => values[side as 'input'] === undefined,
  )
  for (const side of missing) context.addIssue({ code: 'custom', path: [side], message: rule })
  if (missing.length > 0) return
  if (values.input === 0 && (isByCall || values.output === 0))
    context.addIssue({ code: 'custom', path: ['input'], message: rule })
}

/** The schema of a price form: its amounts are empty at first, and 0 needs the switch `free`. */
export const withFreeSwitch = <Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) =>
  schema.extend(amounts).superRefine((values, context) => {
    requireAmounts(values as never as Amounts, context)
  })

export const isFree = (price: Price): boolean =>
  price.input === 0 && (price.type === 'times' || price.output === 0) && !hasToolPrice(price)

/** The price that the form describes. */
export const priceOfForm = <P extends Amounts & Pick<Price, 'extra_ratios' | 'tiers'>>({
  free,
  ...values
}: P) =>
  normalizePrice({
    ...values,
    input: free ? 0 : (values.input ?? 0),
    output: free ? 0 : (values.output ?? 0),
  })
