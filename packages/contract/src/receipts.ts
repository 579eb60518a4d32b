import { z } from 'zod'

/** An exact decimal number in text: no digit of a price or of a sum is ever rounded on its way. */
const Exact = z.string()

/** One class of what was used: `count` × `price` × `ratio` × the group's ratio = `points`, before the one rounding. */
const ReceiptItem = z.object({
  /** A class of tokens (`input`, `cacheRead`, …), `call` for a price by the call, or the kind of a tool. */
  kind: z.string(),
  side: z.enum(['input', 'output', 'call', 'tool']),
  count: z.number(),
  /** Points for one at ratio 1: the input or output multiplier, 1,000 times it for a call, the price of a tool. */
  price: Exact,
  ratio: Exact,
  points: Exact,
})

/** What a charge was made of, as the ledger keeps it: the auditor computes the same from the same facts. */
export const Receipt = z.object({
  /** The request's: that of its log row. */
  id: z.number(),
  /** The model it was billed as, and the one that was asked for. */
  model: z.string(),
  requested_model: z.string(),
  /** Multipliers, for tokens relative to 1 point and for calls to 1,000 points. */
  type: z.enum(['tokens', 'times']),
  input: Exact,
  output: Exact,
  group_ratio: Exact,
  version: z.object({
    id: z.number(),
    /** Seconds: when these terms were first in force; null where that was not written down. */
    since: z.number().nullable(),
  }),
  items: z.array(ReceiptItem),
  /** The exact sum, and what it comes to: rounded up once, at least 1 point unless the price is nothing. */
  sum: Exact,
  cost: z.number(),
  /** What was really taken; the rest of the cost is the shortfall. */
  charged: z.number(),
  shortfall: z.number(),
  /** The upstream did not say what was used: the gateway counted. */
  estimated: z.boolean(),
  /** `complete`, `caller-left`, `upstream-broke`, `cut`, or `lost` with the process that served it. */
  finish: z.string(),
  /** When and how it was taken: once, or what a takeover knew and the rest `late`. */
  postings: z.array(
    z.object({ kind: z.enum(['request', 'late']), at: z.number(), amount: z.number() }),
  ),
})
export type Receipt = z.output<typeof Receipt>
