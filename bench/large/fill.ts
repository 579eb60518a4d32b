import { createHash } from 'node:crypto'
import type { Base } from './base.ts'

export type DatasetSize = { users: number; logs: number }

/** A user with a tenth of all calls, created through the admin API. */
export type Busy = { userId: number; tokenId: number }

/** The session of the first call, which each copy replaces by one of its own user. */
export const firstSession = 'bench-session'
/** A user calls in one session while so many calls are made by all: the busy one has a tenth of them. */
const callsOfSession = 1_000

const slice = 500_000
const daysBack = 90
/** Points granted to each user: more than a user spends. */
const given = 100_000_000_000
const ratios = [
  ...['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'],
  ...['audioInput', 'audioOutput', 'imageInput', 'imageOutput'],
]
const keysMax = 10

/** A row is a copy of the first one, which the gateway wrote itself, except for these columns: SQL that may name `n`. */
type Row = { like: string; but: Record<string, string> }

/** Identifiers and SQL expressions that the tables share; an expression may name `n`. */
type Plan = {
  base: Base
  users: number
  logs: number
  busy: Busy
  firstUser: number
  lastUser: number
  /** Id of the transfer before the first one. */
  firstTransfer: number
  /** Seconds since 1970 of a call. */
  at: string
  user: string
  token: string
  input: string
  output: string
}

const insert = async (
  { base }: Plan,
  table: string,
  { like, but }: Row,
  one: number,
  last: number,
) => {
  const columns = await base.columns(table)
  const values = columns.map(each => but[each] ?? `r."${each}"`)
  const names = columns.map(each => `"${each}"`).join(', ')
  for (let at = one; at <= last; at += slice)
    await base.run(`insert into "${table}" (${names}) select ${values.join(', ')}
        from (select * from "${table}" where ${like} order by 1 limit 1) as r
        cross join ${base.series(at, Math.min(last, at + slice - 1))}`)
}

const planOf = async (base: Base, { users, logs }: DatasetSize, busy: Busy): Promise<Plan> => {
  const now = Math.floor(Date.now() / 1000)
  const from = now - daysBack * 86_400
  await base.prepare(from, now)
  const [node] = await base.rows(
    `insert into nodes (heartbeat, state) values (${now}, 'dead') returning epoch`,
  )
  const firstUser = 1 + Number((await base.rows('select max(id) as n from users'))[0]?.n)
  const isBusy = 'n % 10 = 0'
  const other = `${firstUser} + (n * 7919) % ${users}`
  return {
    ...{ base, users, logs, busy, firstUser },
    lastUser: users + firstUser - 1,
    firstTransfer: Number(node?.epoch) * 2 ** 32,
    at: `${from} + n * ${daysBack * 86_400 - 3600} / ${logs}`,
    user: `case when ${isBusy} then ${busy.userId} else ${other} end`,
    token: `case when ${isBusy} then ${busy.tokenId} else ${other} end`,
    input: '(100 + n % 900)',
    output: '(20 + n % 300)',
  }
}

const addUsers = async (plan: Plan): Promise<void> => {
  const { firstUser, lastUser } = plan
  const person = {
    id: 'n',
    username: "'bench-' || n",
    username_key: "'bench-' || n",
    email: "''",
    aff_code: "'b' || n",
  }
  const plain = { role: '1', access_token_hash: 'null', inviter_id: '0' }
  await insert(plan, 'users', { like: 'id = 1', but: { ...person, ...plain } }, firstUser, lastUser)
  const owned = { id: 'n', user_id: 'n', key_hash: "'bench-' || n" }
  await insert(plan, 'tokens', { like: 'id = 1', but: owned }, firstUser, lastUser)
}

const addCalls = async (plan: Plan, priceId: number): Promise<void> => {
  const { firstTransfer: first, logs, at, user, token, input, output } = plan
  const amount = `${input} + ${output}`
  const usage = `'{"usage":{"input":' || cast(${input} as text) || ',"output":' || cast(${output} as text)
    || '},"price":${priceId},"ratio":"1","model":"bench-' || cast(n % 20 as text)
    || '","estimated":false,"finish":"complete"}'`
  const posting = {
    id: `${first} + n`,
    at,
    source: `cast(${first} + n as text)`,
    debit: user,
    amount,
  }
  const charge = { token_id: token, price_id: String(priceId), usage }
  await insert(
    plan,
    'transfers',
    { like: "kind = 'request'", but: { ...posting, ...charge } },
    1,
    logs,
  )
  const log = { id: `${first} + n`, created_at: at, user_id: user, quota: amount }
  const seen = {
    model_name: "'bench-' || (n % 20)",
    prompt_tokens: input,
    completion_tokens: output,
  }
  const names = { username: `'bench-' || (${user})`, source_ip: "'10.0.0.' || (n % 250)" }
  const session = `'bench-' || (${user}) || '-' || (n / ${callsOfSession})`
  const metadata = `replace(r.metadata, '${firstSession}', ${session})`
  await insert(
    plan,
    'logs',
    { like: 'type = 2', but: { ...log, ...seen, ...names, metadata } },
    1,
    logs,
  )
}

const addGrants = async (plan: Plan): Promise<void> => {
  const { firstTransfer: first, firstUser, lastUser, busy } = plan
  const grant = {
    id: `${first + 2 ** 31} + n`,
    kind: "'grant'",
    source: "'user:' || n",
    debit: '-2',
  }
  const gift = { credit: 'n', amount: String(given), price_id: '0', usage: "'{}'" }
  const none = { token_id: '0', channel_id: '0' }
  const grants = { like: "kind = 'request'", but: { ...grant, ...gift, ...none } }
  await insert(plan, 'transfers', grants, firstUser, lastUser)
  const more = { ...grants.but, kind: "'admin'", source: "'bench:' || n" }
  await insert(plan, 'transfers', { ...grants, but: more }, busy.userId, busy.userId)
}

/** Balances and counters: the sums of the transfers. */
const addSums = async (plan: Plan): Promise<void> => {
  const { base, firstTransfer: first, logs, firstUser, lastUser, busy } = plan
  await base.run(`create temporary table spent as select debit as user_id, sum(amount) as used, count(*) as n
    from transfers where kind = 'request' and id > ${first} and id <= ${first + logs} group by debit`)
  await base.run('create unique index spent_user on spent (user_id)')
  const used = (column: string) => `coalesce((select ${column} from spent where user_id = i.n), 0)`
  const account = { user_id: 'n', balance: `${given} - ${used('used')}`, used: used('used') }
  const counted = { requests: used('n'), held: '0', frozen: '0' }
  const accounts = { like: 'user_id = 1', but: { ...account, ...counted } }
  await insert(plan, 'accounts', accounts, firstUser, lastUser)
  const spend = { token_id: 'n', user_id: 'n', used: used('used'), held: '0', cap: 'null' }
  await insert(plan, 'token_spend', { like: 'token_id = 1', but: spend }, firstUser, lastUser)
  const ofBusy = `(select used from spent where user_id = ${busy.userId})`
  await base.run(`update accounts set balance = balance + ${given} - coalesce(${ofBusy}, 0), used = used + coalesce(${ofBusy}, 0),
    requests = requests + coalesce((select n from spent where user_id = ${busy.userId}), 0) where user_id = ${busy.userId}`)
  await base.run(
    `update token_spend set used = used + coalesce(${ofBusy}, 0) where token_id = ${busy.tokenId}`,
  )
  await base.run(`insert into channel_used (channel_id, epoch, used, n)
    select 1, ${first / 2 ** 32}, sum(used), sum(n) from spent`)
  await base.run('drop table spent')
}

/**
 * Writes users with a token each, and calls as transfers with a receipt and as log rows. Every balance and counter is the
 * sum of its transfers, so that `npm run audit` finds nothing. Returns the keys of ten users.
 */
export const fill = async (base: Base, shape: DatasetSize, busy: Busy): Promise<string[]> => {
  const plan = await planOf(base, shape, busy)
  const priceId = await addPrice(base)
  await addUsers(plan)
  await addCalls(plan, priceId)
  await addGrants(plan)
  await addSums(plan)
  await base.finish()
  return giveKeys(base, plan.firstUser, Math.min(shape.users, keysMax))
}

/** The price of the calls: one point a token. */
const addPrice = async (base: Base): Promise<number> => {
  const each = Object.fromEntries(ratios.map(name => [name, '1']))
  const terms = {
    type: 'tokens',
    input: '1',
    output: '1',
    group_ratio: '1',
    ratios: each,
    tools: {},
  }
  const body = JSON.stringify(terms)
  const hash = createHash('sha256').update(body).digest('hex')
  const [row] = await base.rows(
    `insert into price_versions (hash, body) values ('${hash}', '${body}') returning id`,
  )
  return Number(row?.id)
}

const giveKeys = async (base: Base, firstUser: number, count: number): Promise<string[]> => {
  const keys: string[] = []
  for (let n = 0; n < count; n += 1) {
    const key = `sk-${createHash('sha256').update(`large ${n}`).digest('hex').slice(0, 48)}`
    const hash = createHash('sha256').update(key).digest('hex')
    await base.run(`update tokens set key_hash = '${hash}' where id = ${firstUser + n}`)
    keys.push(key)
  }
  return keys
}
