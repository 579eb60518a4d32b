import type { Usage } from '@hub/dialects'
import { prepareCost } from '../price.ts'
import type { Terms } from '../prices/terms.ts'
import { usageOf } from '../usage.ts'
import type { writeReceipt } from './receipt.ts'

/** What a posting says about itself. */
type StoredReceipt = {
  usage: Usage
  /** The price version, where the posting itself does not know it: after a takeover. */
  price: number | undefined
  model: string
  requested: string
  estimated: boolean
  finish: Parameters<typeof writeReceipt>[1]['finish']
}

/** Undefined: not a receipt of ours. A posting that was imported, or made by hand, has none. */
export const readReceipt = (text: string): StoredReceipt | undefined => {
  try {
    const { usage, price, model, requested, estimated, finish } = JSON.parse(text)
    if (typeof usage !== 'object' || usage === null || typeof model !== 'string') return undefined
    return {
      usage: usageOf(usage),
      price,
      model,
      requested: requested ?? model,
      estimated: estimated === true,
      finish: finish ?? 'complete',
    }
  } catch {
    return undefined
  }
}

/** The terms that a price version holds, and what they make of a usage. */
export const readTerms = (body: string) => {
  const terms = JSON.parse(body) as Terms
  return { terms, ...prepareCost(terms) }
}
