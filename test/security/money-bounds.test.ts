import { moneyBounds } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onOneEngine, type TestApp, type TestClient } from '../../apps/server/test/harness.ts'

onOneEngine('bounds of money', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  const outside = ({ min, max }: { min: number; max: number }) => [min - 0.01, max * 10]
  const gateway = {
    ...{ type: 'epay', name: 'pay', currency: 'CNY' },
    config: { pay_domain: 'https://pay.example', partner_id: '7', key: 'the-secret-key' },
  }
  const price = { model: 'm', type: 'tokens', channel_type: 0, input: 1, output: 1 }
  const setting = (key: string) => (value: number) =>
    hub.root.put('/api/option/', { key, value: String(value) })
  /** How each bounded number is sent. A bound without an entry does not compile. */
  const senders: Record<
    keyof typeof moneyBounds,
    (value: number) => ReturnType<TestClient['put']>
  > = {
    QuotaPerUnit: setting('QuotaPerUnit'),
    PaymentUSDRate: setting('PaymentUSDRate'),
    PaymentMinAmount: setting('PaymentMinAmount'),
    QuotaForNewUser: setting('QuotaForNewUser'),
    QuotaForInviter: setting('QuotaForInviter'),
    QuotaForInvitee: setting('QuotaForInvitee'),
    PreConsumedQuota: setting('PreConsumedQuota'),
    AutoPriceUpdateApprovalPercent: setting('AutoPriceUpdateApprovalPercent'),
    discount: value => {
      const text = JSON.stringify({ 100: value })
      return hub.root.put('/api/option/', { key: 'RechargeDiscount', value: text })
    },
    percent_fee: percent_fee => hub.root.post('/api/payment/', { ...gateway, percent_fee }),
    fixed_fee: fixed_fee => hub.root.post('/api/payment/', { ...gateway, fixed_fee }),
    groupRatio: ratio => hub.root.post('/api/user_group/', { symbol: 'g', name: 'g', ratio }),
    price: input => hub.root.post('/api/prices/single', { ...price, input }),
    extraRatio: ratio =>
      hub.root.post('/api/prices/single', {
        ...price,
        extra_ratios: { cached_read_tokens: ratio },
      }),
    toolPrice: usd =>
      hub.root.post('/api/prices/single', { ...price, tool_prices: { web_search: usd } }),
  }

  it.each(Object.keys(senders) as (keyof typeof moneyBounds)[])(
    'S56 a number outside is refused with field, bound and example: %s',
    async field => {
      for (const value of outside(moneyBounds[field])) {
        const { status, body } = await senders[field](value)
        expect([value, status]).toEqual([value, expect.toBeOneOf([400, 422])])
        expect(body.message).toContain('such as')
      }
    },
  )

  it('S56 the examples of bugs are refused: 0.1 points per dollar, and a fee of 500 %', async () => {
    const points = await senders.QuotaPerUnit(0.1)
    expect(points.body.message).toContain(
      '`QuotaPerUnit`: must be a whole number from 1 to 1000000000, such as 500000',
    )
    const fee = await senders.percent_fee(5)
    expect(fee.body.message).toContain('`percent_fee`: must be from 0 to 0.5')
    expect(fee.body.message).toContain('such as 0.05 (5 %)')
    expect((await senders.percent_fee(0.05)).status).toBe(200)
  })
})
