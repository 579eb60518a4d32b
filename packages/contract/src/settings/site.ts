import { z } from 'zod'
import { moneyNumber } from '../money-bounds.ts'
import { boolean, json, link, text } from './fields.ts'

export const site = z.object({
  SystemName: z.string().trim().min(1).max(50).default('One Hub'),
  /** The address at which people and vendors reach this site. Empty: unknown, so that texts contain no link. */
  ServerAddress: link(),
  /** Switches that need the address may be turned on while it leads to this machine only. */
  LocalTrialEnabled: boolean(false),
  Logo: link(),
  Footer: text(20_000),
  Notice: text(100_000),
  About: text(100_000),
  HomePageContent: text(100_000),
  TopUpLink: link(),
  ChatLink: text(500),
  ChatLinks: z
    .literal('')
    .or(json(z.array(z.unknown()), 'must be a JSON list'))
    .default(''),
  DisplayInCurrencyEnabled: boolean(true),
  /** Shows models and prices to visitors without a session. */
  PublicPricesEnabled: boolean(true),
  /** Points for one US dollar. */
  QuotaPerUnit: moneyNumber('QuotaPerUnit').default(500_000),
  /** The time zone of statistics, daily limits and times in the console. Empty: the zone of the server. */
  TimeZone: text(64).refine(
    value => value === '' || isZone(value),
    'must be a time zone such as Asia/Shanghai',
  ),
})

const isZone = (value: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}
