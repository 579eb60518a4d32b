import { z } from 'zod'
import { CallCost } from './costs.ts'

/** A decimal number in text, so that prices and sums stay exact. */
const Exact = z.string()

/** One line: `count` × `price` × `ratio` × group ratio = `points`, before rounding. */
const ReceiptItem = z.object({
  /** A class of tokens (`input`, `cacheRead`, …), `call` for a price per call, or the kind of a tool. */
  kind: z.string(),
  side: z.enum(['input', 'output', 'call', 'tool']),
  count: z.number(),
  /** Points per unit at ratio 1: the multiplier of a side, 1,000 times it for a call, or the price of a tool. */
  price: Exact,
  ratio: Exact,
  points: Exact,
})

/** The computation of a charge, as the ledger stores it. The auditor computes it again from the same data. */
export const Receipt = z.object({
  /** The id of the request and of its log row. */
  id: z.number(),
  /** The task that this charge is for, as callers name it. */
  task_id: z.string().optional(),
  /** The billed model. `requested_model` is the model of the request. */
  model: z.string(),
  requested_model: z.string(),
  /** The unit of the multipliers is 1 point for tokens and 1,000 points for calls. */
  type: z.enum(['tokens', 'times']),
  input: Exact,
  output: Exact,
  group_ratio: Exact,
  version: z.object({
    id: z.number(),
    /** Seconds of the first use of these terms. Null: not recorded. */
    since: z.number().nullable(),
  }),
  items: z.array(ReceiptItem),
  /** The ratios of the tier, speed, region and cache that served the call. The prices of the items contain them. */
  modes: z.array(z.object({ mode: z.string(), ratio: Exact })),
  /** The exact sum. `cost` is the sum rounded up, at least 1 point unless the price is free. */
  sum: Exact,
  cost: z.number(),
  /** The points taken from the balance. The rest of the cost is the shortfall. */
  charged: z.number(),
  shortfall: z.number(),
  /** The upstream reported no usage, so the gateway counted. */
  estimated: z.boolean(),
  /** Reasoning tokens estimated from the model's recent calls, because the caller left before the usage; 0 for none. */
  estimated_reasoning: z.number(),
  /** The caller left after the provider's finish, and the end was read for its usage. */
  end_read: z.boolean(),
  /** About how many tokens of the prompt are the system prompt of the channel; absent for none. */
  channel_prompt_tokens: z.number().optional(),
  /** The output limit that the provider was sent, because balance and cap covered no longer answer. */
  output_limit: z.number().optional(),
  /** `complete`, `caller-left`, `upstream-broke`, `cut`, or `lost` with the process that served it. */
  finish: z.string(),
  /** For administrators only: what the call costs the operator. Absent: not known. */
  operator: z
    .object({
      cost: CallCost,
      /** US dollars at the rate of the day. Null: the currency has no rate. */
      cost_usd: z.string().nullable(),
      /** The charge minus the cost. */
      margin_usd: z.string().nullable(),
    })
    .optional(),
  /** The answer is an earlier one, out of the response cache, and costs nothing. */
  cached: z.boolean(),
  /** One `request` posting. After a takeover by another node, a `late` posting has the rest. */
  postings: z.array(
    z.object({ kind: z.enum(['request', 'late']), at: z.number(), amount: z.number() }),
  ),
})
export type Receipt = z.output<typeof Receipt>
