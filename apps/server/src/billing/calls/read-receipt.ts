import type { CallCost } from '@hub/contract'
import type { Usage } from '@hub/dialects'
import { inputTokens, outputTokens } from '@hub/dialects/usage'
import { prepareCost } from '../price.ts'
import type { Terms } from '../prices/terms.ts'
import { usageOf } from '../usage.ts'
import type { ReceiptFinish } from './receipt.ts'

type StoredReceipt = {
  usage: Usage
  /** The price version, for a posting without one of its own: after a takeover. */
  price: number | undefined
  model: string
  requested: string
  estimated: boolean
  estimatedReasoning: number
  isEndRead: boolean
  channelPromptTokens: number | undefined
  outputLimit: number | undefined
  finish: ReceiptFinish
  isCached: boolean
  /** For administrators only. */
  cost: CallCost | undefined
}

/** Reads what `writeReceipt` wrote. Undefined: the posting was imported or made by hand, so it has no receipt. */
export const readReceipt = (text: string): StoredReceipt | undefined => {
  try {
    const {
      usage,
      price,
      model,
      requested,
      estimated,
      estimatedReasoning,
      endRead,
      channelPrompt,
      outputLimit,
      finish,
      cache,
      cost,
    } = JSON.parse(text)
    if (typeof usage !== 'object' || usage === null || typeof model !== 'string') return undefined
    return {
      usage: usageOf(usage),
      price,
      model,
      requested: requested ?? model,
      estimated: estimated === true,
      estimatedReasoning: estimatedReasoning ?? 0,
      isEndRead: endRead === true,
      channelPromptTokens: channelPrompt,
      outputLimit,
      finish: finish ?? 'complete',
      isCached: cache === 'hit',
      cost,
    }
  } catch {
    return undefined
  }
}

/** The terms in the body of a price version, prepared for charging. */
export const readTerms = (body: string) => {
  const stored = JSON.parse(body) as Terms
  // Versions from before these two classes charged all cached input alike.
  const { cacheRead, cacheReadAudio = cacheRead, cacheReadImage = cacheRead } = stored.ratios
  const ratios = { ...stored.ratios, cacheReadAudio, cacheReadImage }
  const terms = { ...stored, ratios }
  return { terms, ...prepareCost(terms) }
}

/** The tokens of a receipt as a log row counts them. */
export const receiptTokens = ({ usage }: Pick<StoredReceipt, 'usage'>) => ({
  prompt: inputTokens(usage),
  completion: outputTokens(usage),
})
