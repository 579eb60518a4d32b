import { createHash } from 'node:crypto'
import type { Base } from './base.ts'

export type Shape = { users: number; logs: number }

/** Somebody with a tenth of all calls, who was made through the public door. */
export type Busy = { userId: number; tokenId: number }

const slice = 500_000
const daysBack = 90
/** What everybody was given: more than anybody spends. */
const given = 1_000_000_000
const ratios = [
  ...['input', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'output', 'reasoning'],
  ...['audioInput', 'audioOutput', 'imageInput', 'imageOutput'],
]
const keysMax = 10

/** A row is a copy of one that the gateway wrote itself, except for these columns: SQL that may name `n`. */
type Row = { like: string; but: Record<string, string> }

/**
 * Users with a token each, and calls that are in the books as well as in the logs: each has its posting with a receipt, and
 * every balance and counter is the sum of its postings, so that `npm run audit` finds nothing. Answers ten keys.
 */
export const fill = async (base: Base, { users, logs }: Shape, busy: Busy): Promise<string[]> => {
  const now = Math.floor(Date.now() / 1000)
  const from = now - daysBack * 86_400
  await base.prepare(from, now)
  const [node] = await base.rows(
    `insert into nodes (beat, state) values (${now}, 'dead') returning epoch`,
  )
  const first = Number(node?.epoch) * 2 ** 32
  const priceId = await addPrice(base)
  const firstUser = 1 + Number((await base.rows('select max(id) as n from users'))[0]?.n)

  const insert = async (table: string, { like, but }: Row, one: number, last: number) => {
    const columns = await base.columns(table)
    const values = columns.map(each => but[each] ?? `r."${each}"`)
    const names = columns.map(each => `"${each}"`).join(', ')
    for (let at = one; at <= last; at += slice)
      await base.run(`insert into "${table}" (${names}) select ${values.join(', ')}
        from (select * from "${table}" where ${like} limit 1) as r
        cross join ${base.series(at, Math.min(last, at + slice - 1))}`)
  }

  const isBusy = 'n % 10 = 0'
  const someone = `${firstUser} + (n * 7919) % ${users}`
  const user = `case when ${isBusy} then ${busy.userId} else ${someone} end`
  const token = `case when ${isBusy} then ${busy.tokenId} else ${someone} end`
  const [input, output] = ['(100 + n % 900)', '(20 + n % 300)']
  const at = `${from} + n * ${daysBack * 86_400 - 3600} / ${logs}`
  const amount = `${input} + ${output}`
  const usage = `'{"usage":{"input":' || cast(${input} as text) || ',"output":' || cast(${output} as text)
    || '},"price":${priceId},"ratio":"1","model":"bench-' || cast(n % 20 as text)
    || '","estimated":false,"finish":"complete"}'`
  const last = users + firstUser - 1

  const person = { id: 'n', username: "'bench-' || n", email: "''", aff_code: "'b' || n" }
  const plain = { role: '1', access_token_hash: 'null', inviter_id: '0' }
  await insert('users', { like: 'id = 1', but: { ...person, ...plain } }, firstUser, last)
  const owned = { id: 'n', user_id: 'n', key_hash: "'bench-' || n" }
  await insert('tokens', { like: 'id = 1', but: owned }, firstUser, last)

  const posting = {
    id: `${first} + n`,
    at,
    source: `cast(${first} + n as text)`,
    debit: user,
    amount,
  }
  const of = { token_id: token, price_id: String(priceId), usage }
  await insert('transfers', { like: "kind = 'request'", but: { ...posting, ...of } }, 1, logs)
  const log = { id: `${first} + n`, created_at: at, user_id: user, quota: amount }
  const seen = {
    model_name: "'bench-' || (n % 20)",
    prompt_tokens: input,
    completion_tokens: output,
  }
  const names = { username: `'bench-' || (${user})`, source_ip: "'10.0.0.' || (n % 250)" }
  await insert('logs', { like: 'type = 2', but: { ...log, ...seen, ...names } }, 1, logs)

  await base.run(`create temporary table spent as select debit as user_id, sum(amount) as used, count(*) as n
    from transfers where kind = 'request' and id > ${first} and id <= ${first + logs} group by debit`)
  await base.run('create unique index spent_user on spent (user_id)')
  const used = (what: string) => `coalesce((select ${what} from spent where user_id = i.n), 0)`
  const grant = {
    id: `${first + 2 ** 31} + n`,
    kind: "'grant'",
    source: "'user:' || n",
    debit: '-2',
  }
  const gift = { credit: 'n', amount: String(given), price_id: '0', usage: "'{}'" }
  const none = { token_id: '0', channel_id: '0' }
  const grants = { like: "kind = 'request'", but: { ...grant, ...gift, ...none } }
  await insert('transfers', grants, firstUser, last)
  const more = { ...grants.but, kind: "'admin'", source: "'bench:' || n" }
  await insert('transfers', { ...grants, but: more }, busy.userId, busy.userId)
  const account = { user_id: 'n', balance: `${given} - ${used('used')}`, used: used('used') }
  const counted = { requests: used('n'), held: '0', frozen: '0' }
  await insert(
    'accounts',
    { like: 'user_id = 1', but: { ...account, ...counted } },
    firstUser,
    last,
  )
  const spend = { token_id: 'n', user_id: 'n', used: used('used'), held: '0', cap: 'null' }
  await insert('token_spend', { like: 'token_id = 1', but: spend }, firstUser, last)
  const his = `(select used from spent where user_id = ${busy.userId})`
  await base.run(`update accounts set balance = balance + ${given} - coalesce(${his}, 0), used = used + coalesce(${his}, 0),
    requests = requests + coalesce((select n from spent where user_id = ${busy.userId}), 0) where user_id = ${busy.userId}`)
  await base.run(
    `update token_spend set used = used + coalesce(${his}, 0) where token_id = ${busy.tokenId}`,
  )
  await base.run(`insert into channel_used (channel_id, epoch, used, n)
    select 1, ${first / 2 ** 32}, sum(used), sum(n) from spent`)
  await base.run('drop table spent')
  await base.finish()
  return giveKeys(base, firstUser, Math.min(users, keysMax))
}

/** A point for a token: what the calls were charged by. */
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
