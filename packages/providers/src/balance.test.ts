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
    { amount: '110', currency: 'CNY', kind: 'wallet' },
  ],
  moonshot: [
    [{ code: 0, data: { available_balance: 49.58894, voucher_balance: 46.58893 }, scode: '0x0' }],
    'https://api.moonshot.cn',
    { amount: '49.58894', currency: 'CNY', kind: 'wallet' },
  ],
  siliconflow: [
    [{ code: 20000, data: { balance: '0.88', chargeBalance: '88.00', totalBalance: '88.88' } }],
    'https://api.siliconflow.cn',
    { amount: '88.88', currency: 'CNY', kind: 'wallet' },
  ],
  openrouter: [
    [{ data: { total_credits: 100.5, total_usage: 25.75 } }],
    '',
    { amount: '74.75', currency: 'USD', kind: 'wallet' },
  ],
  openai: [
    [{ hard_limit_usd: 20 }, { object: 'list', total_usage: 1234.5 }],
    '',
    { amount: '7.655', currency: 'USD', kind: '' },
  ],
  // https://platform.stability.ai/docs/api-reference#tag/User
  stability: [
    [{ credits: 63.36708 }],
    '',
    { amount: '0.6336708', currency: 'USD', kind: 'wallet' },
  ],
  // https://www.recraft.ai/docs/api-reference/endpoints#get-user-information
  recraft: [
    [{ credits: 1234, email: 'a@b.example', id: 'i' }],
    '',
    { amount: '1.234', currency: 'USD', kind: 'wallet' },
  ],
}
// https://github.com/QuantumNous/new-api/blob/main/controller/user.go
documented['upstream-gateway'] = [
  [{ success: true, data: { quota: 1_250_000, used_quota: 9 } }, { data: { quota_per_unit: 5e5 } }],
  '',
  { amount: '2.5', currency: 'USD', kind: 'wallet' },
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

const amountOf = (totalBalance: unknown) =>
  providers.find(each => each.id === 'siliconflow')!.balance!.read([{ data: { totalBalance } }], '')
    ?.amount

/** Amounts as vendors send them, and the decimal text of the balance. */
const amounts: readonly [value: unknown, amount: string][] = [
  [0, '0'],
  [-0, '0'],
  ['0.00', '0'],
  [12.5, '12.5'],
  [' 12.50 ', '12.5'],
  ['+3', '3'],
  [-0.25, '-0.25'],
  ['-0.25', '-0.25'],
  [0.1 + 0.2, '0.3'],
  ['0.30000000000000000004', '0.3'],
  [1e-7, '0.0000001'],
  [1e-12, '0'],
  [999_999_999_999.5, '999999999999.5'],
]

it.each(amounts)('reads the amount %j as %j', (value, amount) => {
  expect(amountOf(value)).toBe(amount)
})

it('refuses what is no amount of money', () => {
  const numbers = [1e12, -1e12, 1e300, Number.POSITIVE_INFINITY, Number.NaN]
  const words = ['', ' ', 'ten', '12,5', '1,000.00', '0x10', '12.', '.5', '1e3', '1e309', 'NaN']
  const others = [null, undefined, true, false, [], [5], {}, { amount: 5 }, '9'.repeat(400)]
  for (const value of [...numbers, ...words, ...others]) expect(amountOf(value)).toBeUndefined()
})

it('the old billing routes say nothing about a key without a limit', () => {
  const { read } = providers.find(each => each.id === 'openai')!.balance!
  const usage = { total_usage: 1_234 }
  for (const limit of [100_000_000, '100000000', null, 'much', Number.NaN])
    expect(read([{ hard_limit_usd: limit }, usage], '')).toBeUndefined()
  for (const total_usage of [null, 'much', undefined, {}])
    expect(read([{ hard_limit_usd: 20 }, { total_usage }], '')).toBeUndefined()
  expect(read([{ hard_limit_usd: 20 }, { total_usage: 2_100.5 }], '')?.amount).toBe('-1.005')
})

it('OpenAI itself is not asked, because it refuses API keys at these routes', () => {
  const { isOffered } = providers.find(each => each.id === 'openai')!.balance!
  expect(isOffered!('https://api.openai.com')).toBe(false)
  expect(isOffered!('https://api.openai.com/v1/')).toBe(false)
  expect(isOffered!('https://gateway.example')).toBe(true)
})

const account = (quota: unknown, success: unknown = true) => ({ success, data: { quota } })
const status = (quota_per_unit: unknown) => ({ data: { quota_per_unit } })

/** Answers of the account's page of New API and of its status, and the balance. */
const accounts: readonly [about: string, answers: unknown[], amount: string | undefined][] = [
  ['the points of a dollar that it shows', [account(1_250_000), status(5e5)], '2.5'],
  ['other points of a dollar', [account(1_000_000), status(300_000)], '3.3333333333'],
  ['the usual points where the status is a page', [account(750_000), undefined], '1.5'],
  ['the usual points where the status lacks them', [account(750_000), { data: {} }], '1.5'],
  ['an empty account', [account(0), status(5e5)], '0'],
  ['an account that was overdrawn', [account(-250_000), status(5e5)], '-0.5'],
  ['points that are zero', [account(1), status(0)], undefined],
  ['points below zero', [account(1), status(-5)], undefined],
  ['points that are a word', [account(1), status('many')], undefined],
  ['a quota in text', [account('1250000'), status(5e5)], undefined],
  ['a refusal with status 200', [account(5, false), status(5e5)], undefined],
  ['an answer without data', [{ success: true }, status(5e5)], undefined],
  ['a huge quota', [account(1e300), status(5e5)], undefined],
  ['a page', [undefined, undefined], undefined],
]

it.each(accounts)('the account at New API: %s', (_, answers, amount) => {
  const { read } = providers.find(each => each.id === 'upstream-gateway')!.balance!
  expect(read(answers, '')?.amount).toBe(amount)
})
