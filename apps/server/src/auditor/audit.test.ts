import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, it } from 'vitest'
import { type BillingApp, onEachEngine } from '../../test/billing-app.ts'
import { priceCache } from '../billing/price-cache.ts'
import { usageOf } from '../billing/usage.ts'
import { withHold } from '../billing/with-hold.ts'
import { audit } from './audit.ts'
import { formatReport } from './report.ts'

type Source = BillingApp['source']
type Execute = (sql: string) => Promise<void>

/** Bypasses every guard on a separate connection. */
const withExecute = async (source: Source, work: (execute: Execute) => Promise<void>) => {
  if (!source.databaseUrl) {
    const database = new DatabaseSync(join(source.dataDir, 'hub.db'), { timeout: 5000 })
    database.exec('pragma ignore_check_constraints = on')
    await work(async sql => database.exec(sql)).finally(() => database.close())
    return
  }
  const client = new pg.Client({ connectionString: source.databaseUrl })
  await client.connect()
  await work(async sql => {
    await client.query(sql)
  }).finally(() => client.end())
}

const dropTriggers = async (source: Source, execute: Execute) => {
  if (!source.databaseUrl) {
    for (const verb of ['update', 'delete']) await execute(`drop trigger transfers_no_${verb}`)
    return
  }
  await execute('drop trigger transfers_append_only on transfers')
  for (const table of ['accounts', 'token_spend', 'holds', 'transfers', 'shortfalls'])
    await execute(`do $$ declare c record; begin
      for c in select conname from pg_constraint
        where conrelid = '${table}'::regclass and contype = 'c'
      loop execute format('alter table ${table} drop constraint %I', c.conname); end loop; end $$`)
}

/** A user with a charge, a shortfall and an open hold. */
const makeScenario = async (money: BillingApp) => {
  const { app } = money
  await money.price({ model: 'm', input: '2.5', output: '7.5' })
  await priceCache(app).load()
  const call = await money.call(1_000_000)
  const reservation = { models: ['m'], promptTokens: 10, outputMax: 10, n: 1, stream: false }
  const ending = {
    model: 'm',
    requestedModel: 'm',
    channelId: 3,
    estimated: false,
    finish: 'complete' as const,
    stream: false,
    firstByteMs: 1,
    warnings: [],
  }
  const user = call.caller.userId
  await withHold(app, call, reservation, held =>
    held.settle({ ...ending, usage: usageOf({ input: 100, cacheWrite1h: 7, output: 33 }) }),
  )
  const poor = await money.call(900)
  await withHold(app, poor, reservation, held =>
    held.settle({ ...ending, usage: usageOf({ output: 5000 }) }),
  )
  const open = money.again(call)
  const hold = { userId: user, tokenId: user, amount: 500, priceId: 1, at: money.clock.seconds }
  await app.ledger.submit({ kind: 'hold', id: open.id, ...hold })
  return { user, id: call.id, poor: poor.id, open: open.id }
}

type Scenario = Awaited<ReturnType<typeof makeScenario>>
type PlantedError = {
  title: string
  sql: string[]
  undo: string[]
  row: string
  deviation?: bigint
}

const transfer = (id: number, kind: string, source: string, sides: [number, number], amount = 5) =>
  `insert into transfers values (${id}, 1, '${kind}', '${source}', ${sides}, ${amount}, 0, 0, 0, '{}')`

const person = (id: number, counter: string, value: number) =>
  `insert into users (id, username, password_hash, display_name, role, status, email, avatar_url,
     "group", aff_code, inviter_id, created_time, last_login_time, last_login_ip,
     must_change_password, ${counter})
   values (${id}, 'planted', '', '', 1, 1, '', '', 'default', 'planted', 0, 1, 0, '', 0, ${value})`

const order = (id: number, user: number, credited: number | null, takenBack: number) =>
  `insert into orders values (${id}, ${user}, 1, 'planted${id}', '', '', 10, 7300, 'CNY', 9, 0, 0, '1', '7.3',
     '${credited ? 'credited' : 'pending'}', '', 0, ${takenBack}, 0, '', 1, 2, null, ${credited}, null, null, 0)`

const invitation = (user: number) =>
  `insert into invitations values (${user}, 77002, '', 1, 'given', '', 0, 0, 9, 8, 1, null, 1, '')`

const usedCode = (id: number, user: number) =>
  `insert into redemptions values (${id}, 1, 'hash', 'sealed', 3, 'planted', 5, 1, 1, ${user}, -1, null)`

/** Statements that plant an error, and those that remove it again. */
const errorsIn = ({ user, id, poor, open }: Scenario) => {
  const set = (table: string, key: string, change: string, back: string) => ({
    sql: [`update ${table} set ${change} where ${key}`],
    undo: [`update ${table} set ${back} where ${key}`],
  })
  const added = (sql: string, table: string, row: number) => ({
    sql: [sql],
    undo: [`delete from ${table} where id = ${row}`],
  })
  const account = `user_id = ${user}`
  const request = `id = ${id}`
  const usage = (text: string) => ({
    sql: [
      `create table saved_usage as select usage from transfers where ${request}`,
      `update transfers set usage = '${text}' where ${request}`,
    ],
    undo: [
      `update transfers set usage = (select usage from saved_usage) where ${request}`,
      'drop table saved_usage',
    ],
  })
  const hold = (row: number, epoch: number, at: number) =>
    added(
      `insert into holds (id, user_id, token_id, epoch, amount, accrued, price_id, usage, opened_at)
        values (${row}, ${user}, ${user}, ${epoch}, 5, 0, 1, '', ${at})`,
      'holds',
      row,
    )
  const epoch = Math.floor(open / 2 ** 32)
  return { user, id, poor, open, set, added, account, request, usage, hold, epoch }
}

type Errors = ReturnType<typeof errorsIn>

const charge = 'Each charge equals the cost of its usage by its price version'
const once = 'Nothing is posted twice'
const given = 'A grant comes from the system account and goes to the user that its source names'
const codes = 'Each used code has one posting, of its quota and to the user who redeemed it'
const paid = 'Each credited order has one posting, of its points and to its user'
const shareReturned =
  'Points taken back and points owed are the share of the payment that was returned'
const owner = 'Each open hold has a live node, and is younger than the longest stream'

const balanceErrors = ({ user, set, added, account }: Errors): PlantedError[] => [
  {
    title: 'The balances of users equal what the system accounts gave',
    ...set('accounts', account, 'balance = balance + 7', 'balance = balance - 7'),
    row: 'accounts',
    deviation: 7n,
  },
  {
    title: 'Each balance is the sum of its postings',
    ...set('accounts', account, 'balance = balance - 9', 'balance = balance + 9'),
    row: `accounts ${user}`,
    deviation: 9n,
  },
  {
    title: 'Each posting is between accounts that exist',
    ...added(transfer(5, 'grant', 'x', [-2, 987_654]), 'transfers', 5),
    row: 'transfers 5',
  },
  {
    title: 'No amount is negative, and no more is held than the balance',
    ...set('accounts', account, 'balance = balance - 2000000', 'balance = balance + 2000000'),
    row: `accounts ${user}`,
  },
  {
    title: 'No amount is negative, and no more is held than the balance',
    ...set('token_spend', `token_id = ${user}`, 'held = held - 501', 'held = held + 501'),
    row: `token_spend ${user}`,
  },
  {
    title: 'The held amount is the sum of the open holds',
    ...set('accounts', account, 'held = held + 3', 'held = held - 3'),
    row: `accounts ${user}`,
    deviation: 3n,
  },
  {
    title: 'The held amount is the sum of the open holds',
    ...set('token_spend', `token_id = ${user}`, 'held = held + 4', 'held = held - 4'),
    row: `token_spend ${user}`,
    deviation: 4n,
  },
]

const counterErrors = ({ user, set, account }: Errors): PlantedError[] => [
  {
    title: 'Used points and requests of users are sums of postings, and of what was imported',
    ...set('accounts', account, 'used = used + 1', 'used = used - 1'),
    row: `accounts ${user}`,
    deviation: 1n,
  },
  {
    title: 'Used points and requests of users are sums of postings, and of what was imported',
    ...set('accounts', account, 'requests = requests + 1', 'requests = requests - 1'),
    row: `accounts ${user}`,
    deviation: 0n,
  },
  {
    title: 'Used points of tokens are sums of postings, and of what was imported',
    ...set('token_spend', `token_id = ${user}`, 'used = used + 6', 'used = used - 6'),
    row: `token_spend ${user}`,
    deviation: 6n,
  },
  {
    title: 'Used points and requests of channels are sums of postings, and of what was imported',
    ...set('channel_used', 'channel_id = 3', 'n = n + 1', 'n = n - 1'),
    row: 'channel_used 3',
  },
  {
    title: 'Used points and requests of channels are sums of postings, and of what was imported',
    sql: ['insert into channel_used values (8, 0, 11, 1)'],
    undo: ['delete from channel_used where channel_id = 8'],
    row: 'channel_used 8',
    deviation: 11n,
  },
]

const chargeErrors = ({ id, poor, set, request, usage }: Errors): PlantedError[] => [
  {
    title: charge,
    ...set('transfers', request, 'amount = amount + 2', 'amount = amount - 2'),
    row: `transfers ${id}`,
    deviation: 2n,
  },
  {
    title: charge,
    ...set('shortfalls', `id = ${poor}`, 'amount = amount - 1', 'amount = amount + 1'),
    row: `transfers ${poor}`,
    deviation: 1n,
  },
  {
    title: charge,
    ...set('transfers', request, 'price_id = price_id + 9000', 'price_id = price_id - 9000'),
    row: `transfers ${id}`,
  },
  { title: charge, ...usage('{"usage":{"input":-1}}'), row: `transfers ${id}` },
  { title: charge, ...usage('{"usage":{"words":1}}'), row: `transfers ${id}` },
  { title: charge, ...usage('{'), row: `transfers ${id}` },
  {
    title: 'Each charge in a log has its transfer, of the same amount',
    ...set('logs', request, 'quota = quota + 8', 'quota = quota - 8'),
    row: `logs ${id}`,
    deviation: 8n,
  },
  {
    title: 'Each charge in a log has its transfer, of the same amount',
    ...set('logs', request, 'id = 77', `id = 77`),
    undo: [`update logs set id = ${id} where id = 77`],
    row: 'logs 77',
  },
]

const postingErrors = ({ user, id, set, added, request }: Errors): PlantedError[] => [
  {
    title: once,
    sql: ['drop index transfers_source', transfer(6, 'grant', `user:${user}`, [-2, user])],
    undo: [
      'delete from transfers where id = 6',
      `create unique index transfers_source on transfers (kind, source) where kind <> 'request'`,
    ],
    row: `transfers grant user:${user}`,
    deviation: 5n,
  },
  {
    title: once,
    ...set('transfers', request, "source = '1'", `source = '${id}'`),
    row: `transfers ${id}`,
  },
  {
    title: once,
    ...added(transfer(-9, 'late', '9', [user, -1]), 'transfers', -9),
    row: 'transfers -9',
  },
  {
    title: 'Amounts are not negative, and requests go to revenue',
    ...added(transfer(10, 'admin', 'y', [-2, user], -5), 'transfers', 10),
    row: 'transfers 10',
  },
  {
    title: 'Amounts are not negative, and requests go to revenue',
    ...set('transfers', request, 'credit = -2', 'credit = -1'),
    row: `transfers ${id}`,
  },
  {
    title: 'Each posting has a known kind and a matching source',
    ...added(transfer(20, 'gift', 'user:1', [-2, user]), 'transfers', 20),
    row: 'transfers 20',
  },
  {
    title: 'Each posting has a known kind and a matching source',
    ...added(transfer(21, 'redemption', 'user:1', [-2, user]), 'transfers', 21),
    row: 'transfers 21',
  },
  {
    title: given,
    ...added(transfer(22, 'grant', 'user:987654', [-2, user]), 'transfers', 22),
    row: 'transfers 22',
    deviation: 5n,
  },
  {
    title: given,
    ...added(transfer(23, 'redemption', 'redemption:8', [-3, user]), 'transfers', 23),
    row: 'transfers 23',
  },
  {
    title: given,
    ...added(transfer(24, 'admin', 'admin:8', [-1, user]), 'transfers', 24),
    row: 'transfers 24',
  },
]

const grantErrors = ({ user, id, open, added, hold, epoch }: Errors): PlantedError[] => [
  {
    title: 'Each reward belongs to an invitation',
    ...added(transfer(25, 'inviter', 'user:987654', [-2, user]), 'transfers', 25),
    row: 'transfers 25',
    deviation: 5n,
  },
  {
    title: 'Invitation counters are sums of postings and of users',
    ...added(person(77_001, 'aff_count', 1), 'users', 77_001),
    row: 'users 77001',
  },
  {
    title: 'Invitation counters are sums of postings and of users',
    ...added(person(77_001, 'aff_quota', 7), 'users', 77_001),
    row: 'users 77001',
    deviation: 7n,
  },
  {
    title: 'What an invitation gave is the sum of its postings',
    sql: [invitation(user)],
    undo: [`delete from invitations where user_id = ${user}`],
    row: `invitations ${user}`,
    deviation: 8n,
  },
  {
    title: codes,
    ...added(usedCode(31, user), 'redemptions', 31),
    row: 'redemptions 31',
    deviation: 5n,
  },
  {
    title: codes,
    ...added(transfer(26, 'redemption', 'redemption:987', [-2, user]), 'transfers', 26),
    row: 'transfers 26',
    deviation: 5n,
  },
  {
    title: paid,
    ...added(order(41, user, 5, 0), 'orders', 41),
    row: 'orders 41',
    deviation: 9n,
  },
  {
    title: paid,
    ...added(transfer(27, 'order', 'order:987', [-3, user]), 'transfers', 27),
    row: 'transfers 27',
    deviation: 5n,
  },
  {
    title: 'The points that refunds and disputes took back are sums of postings',
    ...added(order(42, user, null, 4), 'orders', 42),
    row: 'orders 42',
    deviation: 4n,
  },
  {
    title: shareReturned,
    ...added(order(42, user, null, 4), 'orders', 42),
    row: 'orders 42',
    deviation: 4n,
  },
  {
    title: shareReturned,
    sql: [order(43, user, 5, 0), `insert into debts values (43, ${user}, 6, 1)`],
    undo: ['delete from debts where order_id = 43', 'delete from orders where id = 43'],
    row: 'orders 43',
    deviation: 6n,
  },
  {
    title:
      'Each posting of a refund or a debt is between the buyer of its order and the clearing account',
    ...added(transfer(28, 'debt', 'order:987:1', [user, -3]), 'transfers', 28),
    row: 'transfers 28',
    deviation: 5n,
  },
  { title: 'No request is both open and charged', ...hold(id, epoch, 1e10), row: `holds ${id}` },
  { title: owner, ...hold(99 * 2 ** 32 + 1, 99, 1e10), row: `holds ${99 * 2 ** 32 + 1}` },
  { title: owner, ...hold(open + 900, epoch, 5), row: `holds ${open + 900}` },
]

const rowErrors = ({ user, open, set, added, epoch }: Errors): PlantedError[] => [
  {
    title: owner,
    ...set('nodes', `epoch = ${epoch}`, "state = 'dead'", "state = 'live'"),
    row: `holds ${open}`,
    deviation: 500n,
  },
  {
    title: 'Each shortfall belongs to a charge of the same user',
    ...added(`insert into shortfalls values (12, ${user}, 44, 1, null)`, 'shortfalls', 12),
    row: 'shortfalls 12',
    deviation: 44n,
  },
  {
    title: 'No price version was changed',
    ...set('price_versions', 'id = 1', "body = body || ' '", 'body = rtrim(body)'),
    row: 'price_versions 1',
  },
]

const plantedErrors = (scenario: Scenario): PlantedError[] => {
  const errors = errorsIn(scenario)
  return [
    ...balanceErrors(errors),
    ...counterErrors(errors),
    ...chargeErrors(errors),
    ...postingErrors(errors),
    ...grantErrors(errors),
    ...rowErrors(errors),
  ]
}

onEachEngine(open => {
  it('finds a planted error of each kind, and names its row', async () => {
    const money = await open()
    const scenario = await makeScenario(money)
    const clean = await audit(money.source)
    expect(clean.results.flatMap(each => each.findings)).toEqual([])
    expect(clean).toMatchObject({ isClean: true, worst: 0n, requests: 2n, transfers: 4n })

    await withExecute(money.source, async execute => {
      await dropTriggers(money.source, execute)
      const guards = (await audit(money.source)).results.flatMap(each => each.findings)
      expect(guards.map(each => `${each.row}: ${each.description}`)).toEqual([
        'transfers: no trigger refuses update',
        'transfers: no trigger refuses delete',
      ])
      const covered = new Set(['The database refuses to change transfers and audit rows'])
      for (const { title, sql, undo, row, deviation } of plantedErrors(scenario)) {
        for (const each of sql) await execute(each)
        const report = await audit(money.source)
        const result = report.results.find(each => each.title === title)
        const finding = result?.findings.find(each => each.row === row)
        expect(finding, `${title}: ${row}`).toBeDefined()
        if (deviation !== undefined) expect(finding?.deviation, title).toBe(deviation)
        expect(report.isClean).toBe(false)
        expect(formatReport(report)).toContain(`${row}: ${finding?.description}`)
        for (const each of undo) await execute(each)
        covered.add(title)
      }
      const last = await audit(money.source)
      expect(last.results.flatMap(each => each.findings)).toEqual(guards)
      expect(last.results.map(each => each.title).filter(each => !covered.has(each))).toEqual([])
    })
  })

  it('adds up a late charge with the posting of the takeover', async () => {
    const money = await open()
    const { app } = money
    await money.price({ model: 'late', input: '1', output: '1' })
    await priceCache(app).load()
    const { priceId } = priceCache(app).find('late', 'default')!
    const call = await money.call(1000)
    const user = call.caller.userId
    const receipt = (input: number, finish: string) =>
      JSON.stringify({ usage: { input }, price: priceId, finish })
    const before = (await audit(money.source)).results.map(each => each.findings.length)
    const at = money.clock.seconds
    const who = { userId: user, tokenId: user }
    await app.ledger.submit({ kind: 'hold', id: call.id, ...who, amount: 300, priceId, at })
    const accrued = { accrued: 200, usage: receipt(200, 'lost'), want: 0 }
    await app.ledger.submit({ kind: 'checkpoint', id: call.id, ...accrued })
    await app.ledger.submit({ kind: 'recover', id: call.id, at })
    const findings = async () =>
      (await audit(money.source)).results.map(each => each.findings.length)
    expect(await findings()).toEqual(before)

    const late = (amount: number) => [
      `insert into transfers values (${-call.id}, ${at}, 'late', '${call.id}', ${user}, -1, ${amount},
        ${user}, 0, ${priceId}, '${receipt(250, 'complete')}')`,
      `update accounts set balance = balance - ${amount}, used = used + ${amount}
        where user_id = ${user}`,
      `update token_spend set used = used + ${amount} where token_id = ${user}`,
      `update channel_used set used = used + ${amount} where channel_id = 0`,
    ]
    await withExecute(money.source, async execute => {
      for (const each of late(50)) await execute(each)
      expect(await findings()).toEqual(before)
      await execute(`delete from transfers where id = ${-call.id}`)
      for (const each of late(51)) await execute(each)
    })
    const found = (await audit(money.source)).results.flatMap(each => each.findings)
    expect(found.map(each => each.row)).toContain(`transfers ${call.id}`)
  })
})
