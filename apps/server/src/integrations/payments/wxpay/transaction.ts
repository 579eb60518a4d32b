import { z } from 'zod'
import type { WxpayConfig } from './config.ts'

/** Fen. */
const Fen = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

/** A payment, as in the answer of a query and in a notice. */
export const Transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().default(''),
  trade_state: z.string(),
  amount: z.object({ total: Fen, currency: z.string().default('CNY') }).optional(),
})
export type Transaction = z.output<typeof Transaction>

/** A refund, as in a notice. It does not name the app. */
export const RefundNotice = z.object({
  mchid: z.string(),
  out_trade_no: z.string().min(1),
  transaction_id: z.string().default(''),
  out_refund_no: z.string().min(1),
  refund_status: z.string(),
  amount: z.object({ refund: Fen }),
})

/** The signature shows that WeChat Pay wrote it, not that it is about this merchant and app. */
export const mismatchOf = (
  { mch_id, app_id }: WxpayConfig,
  { mchid, appid }: { mchid: string; appid?: string },
): { mismatch?: 'merchant' | 'app' } => {
  if (mchid !== mch_id) return { mismatch: 'merchant' }
  return appid !== undefined && appid !== app_id ? { mismatch: 'app' } : {}
}
