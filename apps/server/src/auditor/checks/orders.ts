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

/** Points that refunds and disputes took back, at once or as a paid debt, less those that were given back. */
const takenBack = `select source, sum(case when credit = -3 then amount else -amount end) as total
  from transfers where kind in ('refund', 'debt') group by source`

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

const debtPostings: Check = {
  invariant: 'I11',
  title:
    'Each posting of a refund or a debt is between the buyer of its order and the clearing account',
  find: async ({ rows }) => {
    const orders = await rows(`select id, user_id from orders
      where credited_at is not null and take_backs > 0`)
    const buyers = new Map(orders.map(({ id, user_id }) => [String(id), user_id]))
    const postings = await rows(`select id, kind, source, debit, credit, amount
      from transfers where kind in ('refund', 'debt')`)
    return postings
      .filter(({ kind, source, debit, credit }) => {
        const buyer = buyers.get(String(source).split(':')[1]!)
        const isTaken = debit === buyer && credit === -3n
        return !isTaken && !(kind === 'refund' && credit === buyer && debit === -3n)
      })
      .map(row => ({
        ...finding(`transfers ${row.id}`, `a ${row.kind} between the wrong accounts`),
        deviation: toBigint(row.amount),
      }))
  },
}

/** Minor units that refunds and disputes of an order have returned, or may have. */
const returned = `select order_id,
  sum(case when kind = 'refund' and state in ('pending', 'done') then amount else 0 end) as refunds,
  sum(case when kind = 'dispute' and state in ('open', 'lost') then amount else 0 end) as disputes
  from order_reversals group by order_id`

/** A debt shrinks by a posting only, so that what was taken back and what is owed are what the payer got back. */
const returnedShares: Check = {
  invariant: 'I11',
  title: 'Points taken back and points owed are the share of the payment that was returned',
  find: async ({ rows }) =>
    (
      await rows(`select o.id, o.points, o.pay_amount, o.refunded_total, o.credited_at, o.user_id,
          o.taken_back, coalesce(d.points, 0) as owed, coalesce(d.user_id, o.user_id) as debtor,
          coalesce(r.refunds, 0) as refunds, coalesce(r.disputes, 0) as disputes
        from orders o left join debts d on d.order_id = o.id left join (${returned}) r on r.order_id = o.id
        where o.taken_back > 0 or d.points > 0 or r.order_id is not null or o.refunded_total > 0`)
    ).flatMap(row => {
      const [paid, total] = [toBigint(row.pay_amount), toBigint(row.refunded_total)]
      const refunds = toBigint(row.refunds) > total ? toBigint(row.refunds) : total
      const sum = refunds + toBigint(row.disputes)
      const share = sum > paid ? paid : sum
      const expected = row.credited_at === null ? 0n : (toBigint(row.points) * share) / paid
      const found = toBigint(row.taken_back) + toBigint(row.owed)
      if (row.debtor !== row.user_id)
        return [finding(`debts ${row.id}`, 'it is not owed by the buyer')]
      const subject = 'taken back and owed'
      return found === expected ? [] : [deviation(`orders ${row.id}`, subject, expected, found)]
    }),
}

/** Compares orders of online payments with the ledger. */
export const orderChecks = [credits, reversals, debtPostings, returnedShares]
