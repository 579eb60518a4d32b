import { callApi } from '../harness/admin.ts'
import { expect, type Hub, test } from './hub.ts'

// One step for each rule of the specification's section 5 that no other file proves (`PRODUCT.md`).

type Rule = [sentence: string, body: object, expected: string | RegExp]

/** Sends each body, and expects the code or the field that is wrong in the refusal. */
const refuses = async ({ gateway }: Hub, path: string, rules: Rule[], method = 'POST') => {
  for (const [sentence, body, expected] of rules)
    await test.step(`5 ${sentence}`, async () => {
      const session = { bearer: gateway.accessToken }
      const response = await callApi<unknown>(gateway, session, method, path, body)
      expect(response.success, JSON.stringify(body)).toBe(false)
      expect(`${response.code} ${response.message}`).toMatch(expected)
    })
}
const without = (body: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))

test('5 the rules of channels', async ({ seeded }) => {
  const count = () => seeded.admin.api<{ total_count: number }>('GET', '/api/channel/?size=1')
  const before = (await count()).total_count
  const channel = {
    ...{ type: 1, name: 'Ruled', key: 'sk-vendor', base_url: seeded.upstream.url },
    ...{ models: 'ruled-model', group: 'default' },
  }
  await refuses(seeded, '/api/channel/', [
    ['a name is required', without(channel, 'name'), /`name`/],
    ['a name is not empty', { ...channel, name: ' ' }, /`name`/],
    ['a type is required', without(channel, 'type'), /`type`/],
    [
      'an address is required where the type has none',
      { ...channel, type: 3, base_url: '' },
      /base_url/,
    ],
    ['an address is one', { ...channel, base_url: 'not an address' }, /`base_url`/],
    ['a key is required', without(channel, 'key'), /key/],
    ['models are required', without(channel, 'models'), /`models`/],
    ['models are not empty', { ...channel, models: ' , ' }, /`models`/],
    ['a group is required', { ...channel, group: '' }, /`group`/],
    ['a mapping is JSON', { ...channel, model_mapping: '{"a":' }, /`model_mapping`/],
    ['headers are JSON', { ...channel, model_headers: 'x: y' }, /`model_headers`/],
    ['parameters are JSON', { ...channel, custom_parameter: '[1]' }, /`custom_parameter`/],
    ['a list is an array', { ...channel, disabled_stream: { a: 1 } }, /`disabled_stream`/],
    ['a priority is not below 0', { ...channel, priority: -1 }, /`priority`/],
    ['a weight is not below 1', { ...channel, weight: 0 }, /`weight`/],
    ['a wildcard has text before it', { ...channel, models: '*' }, /`models`/],
    ['a wildcard is the last character', { ...channel, models: 'gpt-*-mini' }, /`models`/],
  ])
  expect((await count()).total_count).toBe(before)
})

test('5 the rules of prices', async ({ seeded }) => {
  const price = { model: 'ruled-model', type: 'tokens', input: 1, output: 1, channel_type: 1 }
  await refuses(seeded, '/api/prices/single', [
    ['an input multiplier is required', without(price, 'input'), /`input`/],
    ['an output multiplier is required', without(price, 'output'), /`output`/],
    ['an input multiplier is not negative', { ...price, input: -0.1 }, /`input`/],
    ['an output multiplier is not negative', { ...price, output: -1 }, /`output`/],
    ['a model name is required', { ...price, model: '' }, /`model`/],
    ['a model name is unique', { ...price, model: 'gpt-4.1' }, /resource\.exists/],
    ['a type is tokens or times', { ...price, type: 'seconds' }, /`type`/],
  ])
  const many = { original_models: [], models: ['a', 'b'], price }
  await refuses(seeded, '/api/prices/multiple', [
    ['names of many models are required', { ...many, models: [] }, /`models`/],
    ['no model is named twice', { ...many, models: ['a', 'a'] }, /`models`: .*twice/],
  ])
})

test('5 the rules of payment gateways', async ({ seeded }) => {
  const gateway = {
    ...{ type: 'epay', name: 'Ruled', icon: 'https://example.com/icon.svg', currency: 'CNY' },
    config: {
      ...{ pay_domain: seeded.upstream.url, partner_id: '1001' },
      ...{ key: 'a-key', pay_type: 'alipay' },
    },
  }
  await refuses(seeded, '/api/payment/', [
    ['a currency is required', without(gateway, 'currency'), /`currency`/],
    ['a fixed fee is not negative', { ...gateway, fixed_fee: -0.01 }, /`fixed_fee`/],
    ['a fee in percent is not negative', { ...gateway, percent_fee: -0.01 }, /`percent_fee`/],
    ['a place in the order is not negative', { ...gateway, sort: -1 }, /`sort`/],
  ])
})

test('5 the rules of redemption codes', async ({ seeded }) => {
  const codes = { name: 'Ruled', quota: 0, count: 1 }
  await refuses(seeded, '/api/redemption/', [
    ['there is at least one code', { ...codes, count: 0 }, /`count`/],
    ['a quota is not negative', { ...codes, quota: -1 }, /`quota`/],
  ])
})

test('5 the rules of top-ups', async ({ hub }) => {
  const { admin } = hub
  await admin.setOption('ServerAddress', hub.gateway.url)
  await admin.setOption('LocalTrialEnabled', 'true')
  const config = { pay_domain: hub.upstream.url, partner_id: '1', key: 'k', pay_type: 'alipay' }
  await admin.api('POST', '/api/payment/', {
    ...{ type: 'epay', name: 'Epay', icon: 'https://example.com/icon.svg', currency: 'CNY' },
    ...{ percent_fee: 0.05, config },
  })
  await admin.setOption('PaymentMinAmount', '10')
  await admin.setOption('RechargeDiscount', '{"100": 0.9}')
  const [gateway] = await admin.api<{ uuid: string }[]>('GET', '/api/user/payment')
  const buy = (amount: number) => ({ uuid: gateway?.uuid, amount })
  await refuses(hub, '/api/user/order', [
    ['an amount is whole', buy(10.5), /`amount`/],
    ['an amount is positive', buy(-10), /`amount`/],
    ['an amount is not zero', buy(0), /`amount`/],
    ['an amount is not below the minimum', buy(9), /amount|minimum/],
    ['an amount is not above 1000000', buy(1_000_001), /`amount`/],
  ])
  await test.step('9 (value*discount + value*discount*fee rate)*exchange rate is charged', async () => {
    const { trade_no } = await admin.api<{ trade_no: string }>('POST', '/api/user/order', buy(100))
    const order = await admin.api<object>('GET', `/api/user/order/${trade_no}`)
    // (100 × 0.9 + 100 × 0.9 × 0.05) × 7.3
    expect(order).toMatchObject({ order_amount: 689.85, order_currency: 'CNY', quota: 50_000_000 })
  })
  await test.step('9 a minimum is a whole number of dollars, and discounts are a JSON map', async () => {
    await refuses(
      hub,
      '/api/option/',
      [
        ['a minimum is whole', { key: 'PaymentMinAmount', value: '1.5' }, /PaymentMinAmount|value/],
        [
          'discounts are a map',
          { key: 'RechargeDiscount', value: '[0.9]' },
          /RechargeDiscount|value/,
        ],
      ],
      'PUT',
    )
  })
})

test('5 the rules of Telegram menus and of owners', async ({ seeded }) => {
  const menu = {
    ...{ command: 'ruled', description: 'A menu', parse_mode: 'html', reply_message: 'Text' },
  }
  await refuses(seeded, '/api/option/telegram/', [
    ['a command is required', { ...menu, command: '' }, /`command`/],
    ['a description is required', { ...menu, description: '' }, /`description`/],
    ['a message type is required', { ...menu, parse_mode: '' }, /`parse_mode`/],
    ['a message is required', { ...menu, reply_message: '' }, /`reply_message`/],
  ])
  await refuses(seeded, '/api/model_ownedby/', [
    ['the id of an owner is at least 1000', { id: 999, name: 'Ruled' }, /`id`/],
  ])
  const owner = { id: 1000, name: 'Ruled' }
  await seeded.admin.api('POST', '/api/model_ownedby/', owner)
  await seeded.admin.api('DELETE', '/api/model_ownedby/1000')
})
