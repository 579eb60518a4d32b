import { z } from 'zod'
import { moneyNumber } from '../money-bounds.ts'
import { boolean, json } from './fields.ts'

export const payment = z.object({
  /** The price of one US dollar in yuan. */
  PaymentUSDRate: moneyNumber('PaymentUSDRate').default(7.3),
  /** The smallest top-up in US dollars. */
  PaymentMinAmount: moneyNumber('PaymentMinAmount').default(1),
  /** The part of an amount of US dollars that is paid: `{"100": 0.9}` sells 100 dollars for 90. */
  RechargeDiscount: json(
    z.record(z.string().regex(/^[1-9]\d{0,6}$/), moneyNumber('discount')),
    'must be a JSON object of amounts and factors from 0.01 to 1, such as {"100": 0.9}',
  ).default('{}'),
  /** Freezes the account of a user who owes points of a refunded or disputed payment, until a top-up pays them. */
  FreezeForDebtEnabled: boolean(false),
  /** Makes an invoice for each user and month, and shows the invoices to users. */
  UserInvoiceMonth: boolean(false),
})
