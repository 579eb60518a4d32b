import { type Check, deviation, finding, toBigint } from '../check.ts'

const credits: Check = {
  invariant: 'I11',
  title: 'Each credited order has one posting, of its points and to its user',
  find: async ({ rows }) => [
    ...(
      await rows(`select o.id, o.points, coalesce(t.amount, 0) as amount
        from orders o left join transfers t
          on t.kind = 'order' and t.source = 'order:' || cast(o.id as text)
        where (o.credited_at is not null) <> (t.id is not null)
          or t.amount <> o.points or t.credit <> o.user_id or t.debit <> -3`)
    ).map(row =>
      deviation(`orders ${row.id}`, 'the credit', toBigint(row.points), toBigint(row.amount)),
    ),
    ...(
      await rows(`select t.id, t.amount from transfers t left join orders o
        on t.source = 'order:' || cast(o.id as text)
        where t.kind = 'order' and o.id is null`)
    ).map(row => ({
      ...finding(`transfers ${row.id}`, 'a credit of no order'),
      deviation: toBigint(row.amount),
    })),
  ],
}

/** Points that refunds and disputes took back, less those that were given back. */
const takenBack = `select source, sum(case when credit = -3 then amount else -amount end) as total
  from transfers where kind = 'refund' group by source`

const reversals: Check = {
  invariant: 'I11',
  title: 'The points that refunds and disputes took back are sums of postings',
  find: async ({ rows }) =>
    (
      await rows(`select o.id, o.taken_back, coalesce(sum(t.total), 0) as total
        from orders o left join (${takenBack}) t
          on t.source like 'order:' || cast(o.id as text) || ':%'
        group by o.id, o.taken_back
        having o.taken_back <> coalesce(sum(t.total), 0)`)
    ).map(row =>
      deviation(`orders ${row.id}`, 'taken back', toBigint(row.total), toBigint(row.taken_back)),
    ),
}

/** Compares orders of online payments with the ledger. */
export const orderChecks = [credits, reversals]
