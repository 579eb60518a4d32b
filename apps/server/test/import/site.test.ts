import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openConfig } from '../../src/billing/orders/gateway.ts'
import { listEnabled } from '../../src/db/queries/payment-gateways.ts'
import { listAll } from '../../src/db/queries/telegram-menus.ts'
import type { ImportReport } from '../../src/importer/report.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, truthOf } from './databases.ts'
import { inspect, newFolder, runImport } from './target.ts'

type Site = { report: ImportReport; gateways: Json[]; enabled: string[]; menus: Json[] }

const importSite = async (
  name: 'one-hub-sqlite' | 'new-api-sqlite',
  change: (source: DatabaseSync) => void,
): Promise<Site> => {
  const file = copyOf(name)
  const source = new DatabaseSync(file)
  change(source)
  source.close()
  const target = { dataDir: newFolder() }
  const pricing = { data: truthOf(name).pricing_answer_of_the_running_program }
  const report = await runImport(target, file, { pricing })
  return inspect(target, async app => {
    const rows = await app.db.selectFrom('payment_gateways').selectAll().orderBy('id').execute()
    return {
      report,
      gateways: rows.map(row => ({ ...row, config: openConfig(app, row) })),
      enabled: (await listEnabled(app.db)).map(each => each.name),
      menus: await listAll(app.db),
    }
  })
}

const addGateway = (source: DatabaseSync, id: number, fields: Json): void => {
  const row: Json = {
    ...{ id, type: 'epay', name: `gateway ${id}`, uuid: id.toString(16).padStart(32, '0') },
    ...{ notify_domain: '', fixed_fee: 0, percent_fee: 0, currency: 'CNY', enable: 1, sort: 1 },
    config: '{"pay_domain":"https://pay.example","partner_id":"1","key":"made-up"}',
    ...fields,
  }
  const names = Object.keys(row)
  source
    .prepare(`insert into payments (${names.join()}) values (${names.map(() => '?').join()})`)
    .run(...(Object.values(row) as string[]))
}

it('payment gateways of One Hub arrive with their secrets encrypted, and deleted ones do not', async () => {
  const { gateways, enabled, report } = await importSite('one-hub-sqlite', () => {})
  expect(gateways).toHaveLength(1)
  expect(gateways[0]).toMatchObject({
    ...{ type: 'epay', uuid: 'aeadd5a52f3a4af6b553bf58ad33cf88', currency: 'CNY', enable: 1 },
    ...{ name: 'Easy pay 易支付', icon: 'https://icon.example/p.png', percent_fee: 300 },
    config: {
      ...{ pay_type: 'alipay', pay_domain: 'https://pay.example', partner_id: '1001' },
      key: 'epay-made-up-key',
    },
  })
  expect(gateways[0]!.config_sealed).not.toContain('made-up')
  expect(JSON.stringify(report)).not.toContain('made-up-key')
  expect(enabled).toEqual(['Easy pay 易支付'])
  expect(report.skipped.filter(each => each.table === 'payments')).toMatchObject([
    { id: 2, reason: 'deleted' },
  ])
})

it.each<[string, Json, RegExp]>([
  ['an unknown kind', { type: 'creem' }, /no such kind/],
  ['an unknown currency', { currency: 'EUR' }, /disabled: `currency`/],
  ['no currency', { currency: null }, /disabled: `currency`/],
  ['a fee that is text', { percent_fee: 'low' }, /disabled: `percent_fee`/],
  ['a fee above its bound', { percent_fee: 3 }, /disabled: `percent_fee`/],
  ['an infinite fee', { fixed_fee: 'Infinity' }, /disabled: `fixed_fee`/],
  ['no configuration', { config: null }, /`config` is empty/],
  ['a configuration that is not JSON', { config: '{' }, /`config` is not JSON/],
  [
    'a configuration without a key',
    { config: '{"pay_domain":"https://p.example"}' },
    /disabled: `config/,
  ],
  [
    'a field that is not known',
    {
      config:
        '{"pay_domain":"https://p.example","partner_id":"1","key":"secret-x","odd":"secret-y"}',
    },
    /`config.odd` has no place/,
  ],
  ['no state', { enable: null }, /`enable` is empty/],
  ['no name', { name: '' }, /disabled: `name`/],
])('a payment gateway with %s is not used, and the report names it', async (_, fields, words) => {
  const { enabled, report } = await importSite('one-hub-sqlite', source => {
    addGateway(source, 7, fields)
  })
  expect(enabled).toEqual(['Easy pay 易支付'])
  const named = [
    ...report.changes.map(each => ({ ...each, text: each.change })),
    ...report.skipped.map(each => ({ ...each, text: each.reason })),
  ].filter(each => each.table === 'payments' && each.id === 7)
  expect(named.map(each => each.text).join()).toMatch(words)
  expect(JSON.stringify(report)).not.toContain('secret-')
})

it('payment gateways stay disabled until the site has an address that vendors reach', async () => {
  const { gateways, enabled, report } = await importSite('one-hub-sqlite', source => {
    source.exec(`delete from options where key = 'ServerAddress'`)
    addGateway(source, 8, { notify_domain: 'https://notify.example' })
  })
  expect(gateways).toHaveLength(2)
  expect(enabled).toEqual(['gateway 8'])
  expect(report.changes.find(each => each.table === 'payments')!.change).toContain(
    'the address of the site is not set',
  )
})

it('Epay of New API arrives, and Stripe waits until its notices have been directed here', async () => {
  const { gateways, enabled, report } = await importSite('new-api-sqlite', source => {
    source.exec(
      `insert into options values ('StripeApiSecret', 'sk_test_madeup'), ('StripeWebhookSecret', 'whsec_madeup')`,
    )
  })
  expect(enabled).toEqual(['Epay'])
  expect(gateways.map(each => [each.type, each.config])).toEqual([
    [
      'epay',
      {
        pay_domain: 'https://pay.example',
        partner_id: '2001',
        key: 'epay-made-up-key-n',
        pay_type: '',
      },
    ],
    ['stripe', { secret_key: 'sk_test_madeup', webhook_secret: 'whsec_madeup', api_address: '' }],
  ])
  expect(report.skipped.map(each => each.id)).not.toContain('EpayKey')
  expect(report.skipped.map(each => each.id)).not.toContain('Price')
})

it('commands of the bot arrive, and those that Telegram would refuse are named', async () => {
  const { menus, report } = await importSite('one-hub-sqlite', source => {
    const insert = source.prepare(
      'insert into telegram_menus (command, description, parse_mode, reply_message) values (?, ?, ?, ?)',
    )
    insert.run(' help2', 'twice', 'Markdown', 'text')
    insert.run('Big Name', 'x', 'Markdown', 'text')
    insert.run('start', 'of the bot', 'Markdown', 'text')
    insert.run('broken', 'x', 'MarkdownV2', '*open')
    insert.run('mode', 'x', 'RTF', 'text')
    insert.run('bare', null, 'html', 'text')
    insert.run('empty', 'x', 'html', null)
    insert.run(null, 'x', 'html', 'text')
  })
  expect(menus.map(each => [each.command, each.description, each.parse_mode])).toEqual([
    ['bare', 'bare', 'html'],
    ['help2', 'help text', 'MarkdownV2'],
    ['prices', 'price list', 'html'],
  ])
  expect(menus.find(each => each.command === 'help2')!.reply_message).toContain('👋')
  const left = report.skipped.filter(each => each.table === 'telegram_menus')
  expect(left.map(each => each.id)).toEqual([3, 4, 5, 6, 7, 9, 10])
  expect(report.tables.telegram_menus).toEqual({ found: 10, carried: 3, skipped: 7 })
})
