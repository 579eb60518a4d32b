import { expect, it } from 'vitest'
import { providers } from './index.ts'

/** Answers from the vendors' documents, with the balance that they contain. */
const documented: Record<string, [answers: unknown[], baseUrl: string, balance: object]> = {
  deepseek: [
    [
      {
        is_available: true,
        balance_infos: [
          { currency: 'USD', total_balance: '0.00', granted_balance: '0.00' },
          { currency: 'CNY', total_balance: '110.00', granted_balance: '10.00' },
        ],
      },
    ],
    '',
    { amount: 110, currency: 'CNY' },
  ],
  moonshot: [
    [{ code: 0, data: { available_balance: 49.58894, voucher_balance: 46.58893 }, scode: '0x0' }],
    'https://api.moonshot.cn',
    { amount: 49.58894, currency: 'CNY' },
  ],
  siliconflow: [
    [{ code: 20000, data: { balance: '0.88', chargeBalance: '88.00', totalBalance: '88.88' } }],
    'https://api.siliconflow.cn',
    { amount: 88.88, currency: 'CNY' },
  ],
  openrouter: [
    [{ data: { total_credits: 100.5, total_usage: 25.75 } }],
    '',
    { amount: 74.75, currency: 'USD' },
  ],
  openai: [
    [{ hard_limit_usd: 20 }, { object: 'list', total_usage: 1234.5 }],
    '',
    { amount: 7.655, currency: 'USD' },
  ],
  // https://platform.stability.ai/docs/api-reference#tag/User
  stability: [[{ credits: 63.36708 }], '', { amount: 0.633671, currency: 'USD' }],
  // https://www.recraft.ai/docs/api-reference/endpoints#get-user-information
  recraft: [
    [{ credits: 1234, email: 'a@b.example', id: 'i' }],
    '',
    { amount: 1.234, currency: 'USD' },
  ],
}
// https://github.com/QuantumNous/new-api/blob/main/controller/user.go
documented['upstream-gateway'] = [
  [{ success: true, data: { quota: 1_250_000, used_quota: 9 } }, { data: { quota_per_unit: 5e5 } }],
  '',
  { amount: 2.5, currency: 'USD' },
]
documented.custom = documented.openai!
documented.ai360 = documented.openai!

it.each(providers.filter(each => each.balance))(
  'reads the documented balance answer of $name',
  provider => {
    const [answers, baseUrl, balance] = documented[provider.id]!
    expect(answers).toHaveLength(provider.balance!.paths.length)
    expect(provider.balance!.read(answers, baseUrl)).toEqual(balance)
    for (const invalid of [undefined, null, {}, [], 'x', { data: null }, { data: [] }, { code: 1 }])
      expect(provider.balance!.read([invalid, invalid], baseUrl)).toBeUndefined()
  },
)

it('the international addresses of the same vendors have balances in USD', () => {
  const currency = (id: string, baseUrl: string) =>
    providers.find(each => each.id === id)!.balance!.read(documented[id]![0], baseUrl)?.currency
  expect(currency('moonshot', 'https://api.moonshot.ai/')).toBe('USD')
  expect(currency('siliconflow', 'https://api.siliconflow.com')).toBe('USD')
})
