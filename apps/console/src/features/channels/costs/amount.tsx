import { decimal, significant } from '../../../domain/decimal.ts'
import { formatFixed } from '../../../ui/index.ts'

const signs: Readonly<Record<string, string>> = { USD: '$', CNY: '¥' }

/** An exact amount of any currency in six digits. Yen have the sign of yuan, so that only these two have one. */
export const currencyText = (amount: string, currency: string): string => {
  const digits = significant(decimal(amount))
  const sign = signs[currency]
  return sign ? `${sign}${digits}` : `${digits} ${currency}`
}

export const marginText = (percent: number): string =>
  `${formatFixed(percent, Number.isInteger(percent) ? 0 : 1)}%`
