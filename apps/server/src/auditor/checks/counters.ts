import { type Check, deviation, toBigint } from '../check.ts'

/** Sums the transfers of requests. A `late` transfer corrects a request that was counted already, so it adds no request. */
const posted = (by: string) => `select ${by} as id, amount as used,
  case when kind = 'request' then 1 else 0 end as n from transfers where kind in ('request', 'late')`

/** Use before an import has no postings. The kind is `user`, `token` or `channel`. */
const imported = (kind: string) => `select cast(substr(owner, ${kind.length + 2}) as integer) as id,
  used, requests as n from imported_counters where owner like '${kind}:%'`

const spent = (by: string, kind: string) => `select id as key, sum(used) as used, sum(n) as n
  from (${posted(by)} union all ${imported(kind)}) as sides group by id`

const users: Check = {
  invariant: 'I1',
  title: 'Used points and requests of users are sums of postings, and of what was imported',
  find: async ({ rows }) =>
    (
      await rows(`select a.user_id, a.used, a.requests, coalesce(t.used, 0) as total,
        coalesce(t.n, 0) as n from accounts a left join (${spent('debit', 'user')}) t
        on t.key = a.user_id
        where a.used <> coalesce(t.used, 0) or a.requests <> coalesce(t.n, 0)`)
    ).map(row => ({
      ...deviation(`accounts ${row.user_id}`, 'used', toBigint(row.total), toBigint(row.used)),
      description: `used ${row.used} in ${row.requests} requests, but must be ${row.total} in ${row.n}`,
    })),
}

const tokens: Check = {
  invariant: 'I1',
  title: 'Used points of tokens are sums of postings, and of what was imported',
  find: async ({ rows }) =>
    (
      await rows(`select s.token_id, s.used, coalesce(t.used, 0) as total from token_spend s
        left join (${spent('token_id', 'token')}) t on t.key = s.token_id
        where s.used <> coalesce(t.used, 0)`)
    ).map(row =>
      deviation(`token_spend ${row.token_id}`, 'used', toBigint(row.total), toBigint(row.used)),
    ),
}

const channels: Check = {
  invariant: 'I1',
  title: 'Used points and requests of channels are sums of postings, and of what was imported',
  find: async ({ rows }) =>
    (
      await rows(`select coalesce(c.key, t.key) as key, coalesce(c.used, 0) as used,
        coalesce(c.n, 0) as n, coalesce(t.used, 0) as total, coalesce(t.n, 0) as requests
        from (select channel_id as key, sum(used) as used, sum(n) as n from channel_used
          group by channel_id) c
        full join (${spent('channel_id', 'channel')}) t on t.key = c.key
        where coalesce(c.used, 0) <> coalesce(t.used, 0) or coalesce(c.n, 0) <> coalesce(t.n, 0)`)
    ).map(row => ({
      ...deviation(`channel_used ${row.key}`, 'used', toBigint(row.total), toBigint(row.used)),
      description: `used ${row.used} in ${row.n} requests, but must be ${row.total} in ${row.requests}`,
    })),
}

/** Compares the stored usage counters with sums over `transfers`. */
export const counterChecks = [users, tokens, channels]
