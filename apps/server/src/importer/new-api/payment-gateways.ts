import type { ImportedGateway } from '../gateway-data.ts'
import type { StoredOptions } from './ratios.ts'

/** The options of its two payment gateways that have a counterpart here. */
export const gatewayOptions = [
  ...['PayAddress', 'EpayId', 'EpayKey', 'CustomCallbackAddress'],
  ...['StripeApiSecret', 'StripeWebhookSecret'],
]

/** Its options say nothing about currencies: Epay takes yuan, and Stripe the currency of a price that Stripe stores. */
export const readGateways = (options: StoredOptions): ImportedGateway[] => {
  const text = (key: string) => (options.get(key) ?? '').trim()
  const gateways: ImportedGateway[] = []
  const common = { table: 'payments', uuid: '', isEnabled: true, createdAt: 0 }
  const fees = {
    ...{ icon: '', fixed_fee: 0, percent_fee: 0, sort: 1 },
    notify_domain: text('CustomCallbackAddress'),
  }
  if (text('EpayId') || text('EpayKey') || text('PayAddress'))
    gateways.push({
      ...common,
      id: 'Epay',
      fields: { type: 'epay', name: 'Epay', currency: 'CNY', ...fees },
      config: {
        ...{ pay_domain: text('PayAddress'), partner_id: text('EpayId'), key: text('EpayKey') },
      },
    })
  if (text('StripeApiSecret') || text('StripeWebhookSecret'))
    gateways.push({
      ...common,
      id: 'Stripe',
      fields: { type: 'stripe', name: 'Stripe', currency: 'USD', ...fees },
      config: { secret_key: text('StripeApiSecret'), webhook_secret: text('StripeWebhookSecret') },
      problem:
        'Stripe must send its notices to the address that this gateway shows, and the currency must be that of the price there',
    })
  return gateways
}
