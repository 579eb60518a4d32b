import { createHash } from 'node:crypto'
import { type Check, finding, toBigint } from '../check.ts'

/** Longer than any stream may last. */
const holdSecondsMax = 2 * 86_400
const idsPerEpoch = 4_294_967_296

const atMostOnce: Check = {
  invariant: 'I2',
  title: 'Nothing is posted twice',
  find: async ({ rows }) => [
    ...(
      await rows(`select kind, source, count(*) as n, sum(amount) as total, max(amount) as one
        from transfers group by kind, source having count(*) > 1`)
    ).map(row => ({
      row: `transfers ${row.kind} ${row.source}`,
      description: `posted ${row.n} times`,
      deviation: toBigint(row.total) - toBigint(row.one),
    })),
    ...(
      await rows(`select id from transfers where kind = 'request' and source <> cast(id as text)`)
    ).map(row => finding(`transfers ${row.id}`, 'the source of a request is its own id')),
    ...(
      await rows(`select l.id from transfers l where l.kind = 'late' and not exists
        (select 1 from transfers t where t.kind = 'request' and cast(t.id as text) = l.source)`)
    ).map(row => finding(`transfers ${row.id}`, 'a late posting without its request')),
  ],
}

const amounts: Check = {
  invariant: 'I5',
  title: 'Amounts are not negative, and requests go to revenue',
  find: async ({ rows }) =>
    (
      await rows(`select id, kind, amount from transfers where (amount < 0 and kind <> 'late')
        or (kind in ('request', 'late') and (credit <> -1 or debit <= 0))`)
    ).map(row => finding(`transfers ${row.id}`, `${row.kind} of ${row.amount}`)),
}

const resolvedOnce: Check = {
  invariant: 'I3',
  title: 'No request is both open and charged',
  find: async ({ rows }) =>
    (
      await rows(`select h.id, h.amount from holds h join transfers t
        on t.id = h.id and t.kind = 'request'`)
    ).map(row => ({
      row: `holds ${row.id}`,
      description: 'open, though its request was charged',
      deviation: toBigint(row.amount),
    })),
}

const openHolds: Check = {
  invariant: 'I9',
  title: 'Each open hold has a live node, and is younger than the longest stream',
  find: async ({ rows, nowSeconds }) =>
    (
      await rows(`select h.id, h.amount, h.epoch, coalesce(n.state, 'missing') as state
        from holds h left join nodes n on n.epoch = h.epoch
        where (coalesce(n.state, 'missing') <> 'live'
            and h.id not in (select request_id from background_calls)
            and h.id not in (select id from tasks where settlement not in ('charged', 'released')))
          or h.id / ${idsPerEpoch} <> h.epoch
          or h.opened_at < ${nowSeconds - holdSecondsMax}`)
    ).map(row => ({
      row: `holds ${row.id}`,
      description: `held by epoch ${row.epoch}, which is ${row.state}`,
      deviation: toBigint(row.amount),
    })),
}

const shortfalls: Check = {
  invariant: 'I5',
  title: 'Each shortfall belongs to a charge of the same user',
  find: async ({ rows }) =>
    (
      await rows(`select s.id, s.amount from shortfalls s left join transfers t
        on t.id = s.id and t.kind = 'request' where t.id is null or t.debit <> s.user_id
          or s.amount <= 0`)
    ).map(row => ({
      row: `shortfalls ${row.id}`,
      description: 'there is no such charge',
      deviation: toBigint(row.amount),
    })),
}

const versions: Check = {
  invariant: 'I7',
  title: 'No price version was changed',
  find: async ({ rows }) =>
    (await rows('select id, hash, body from price_versions'))
      .filter(row => createHash('sha256').update(String(row.body)).digest('hex') !== row.hash)
      .map(row => finding(`price_versions ${row.id}`, 'the body is not the one that was hashed')),
}

const appendOnly: Check = {
  invariant: 'I6',
  title: 'The database refuses to change transfers and audit rows',
  find: async look => {
    const guards = await look.appendOnly()
    const needed = ['transfers', 'audit'].flatMap(table =>
      (['update', 'delete'] as const).map(verb => ({ table, verb })),
    )
    return needed
      .filter(({ table, verb }) => !guards.some(each => each.table === table && each.verb === verb))
      .map(({ table, verb }) => finding(table, `no trigger refuses ${verb}`))
  },
}

export const rowChecks = [
  atMostOnce,
  amounts,
  resolvedOnce,
  openHolds,
  shortfalls,
  versions,
  appendOnly,
]
