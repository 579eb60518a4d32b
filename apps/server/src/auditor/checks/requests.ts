import { parse, recompute } from '../charge.ts'
import {
  type Check,
  type CheckContext,
  deviation,
  type Finding,
  finding,
  toBigint,
} from '../check.ts'

const pageRows = 5000

type Receipt = { usage?: unknown; price?: number; finish?: string }

/** A page of charges, each with its late posting and its shortfall. */
const charges = (after: bigint) => `select t.id, t.amount, t.price_id, t.usage,
  l.amount as late, l.price_id as late_price, l.usage as late_usage, s.amount as shortfall
  from transfers t
  left join transfers l on l.kind = 'late' and l.source = cast(t.id as text)
  left join shortfalls s on s.id = t.id
  where t.kind = 'request' and t.id > ${after} order by t.id limit ${pageRows}`

const recomputable: Check = {
  invariant: 'I5 I7',
  title: 'Each charge equals the cost of its usage by its price version',
  find: async context => {
    const bodies = await versions(context)
    const found: Finding[] = []
    for (let after = -1n; ; ) {
      const page = await context.rows(charges(after))
      for (const row of page) found.push(...checkCharge(row, bodies))
      if (page.length < pageRows) return found
      after = toBigint(page.at(-1)?.id)
    }
  },
}

const checkCharge = (
  row: Awaited<ReturnType<CheckContext['rows']>>[number],
  bodies: Map<bigint, string>,
) => {
  const name = `transfers ${row.id}`
  const isLate = row.late !== null
  const receipt = parse(String(isLate ? row.late_usage : row.usage)) as Receipt | undefined
  if (!receipt) return [finding(name, 'the receipt cannot be read')]
  const price = toBigint(isLate ? row.late_price : row.price_id)
  const isLost = receipt.finish === 'lost'
  // A takeover knows the price only from the receipt of the last checkpoint.
  const named = receipt.price === undefined ? price : BigInt(receipt.price)
  if (!isLost && named !== price)
    return [finding(name, `the receipt names price ${named}, the posting ${price}`)]
  const body = bodies.get(named)
  if (body === undefined) return [finding(name, `price version ${named} does not exist`)]
  const cost = recompute(body, receipt.usage)
  if (typeof cost === 'string') return [finding(name, cost)]
  const charged = toBigint(row.amount) + toBigint(row.late)
  if (charged < 0n) return [deviation(name, 'the charge', 0n, charged)]
  // A takeover charges at most the hold, and records no shortfall.
  if (isLost) return charged > cost ? [deviation(name, 'the charge', cost, charged)] : []
  const total = charged + toBigint(row.shortfall)
  return total === cost ? [] : [deviation(name, 'the charge with its shortfall', cost, total)]
}

const versions = async ({ rows }: CheckContext): Promise<Map<bigint, string>> =>
  new Map(
    (await rows('select id, body from price_versions')).map(row => [
      toBigint(row.id),
      String(row.body),
    ]),
  )

const logs: Check = {
  invariant: 'I1',
  title: 'Each charge in a log has its transfer, of the same amount',
  find: async ({ rows }) =>
    (
      await rows(`select g.id, g.quota, t.id as posted, t.amount + coalesce(l.amount, 0) as total
        from logs g left join transfers t on t.id = g.id and t.kind = 'request'
        left join transfers l on l.kind = 'late' and l.source = cast(g.id as text)
        where g.type = 2 and (t.id is null or g.quota <> t.amount + coalesce(l.amount, 0)
          or g.user_id <> t.debit)`)
    ).map(row =>
      row.posted === null
        ? deviation(`logs ${row.id}`, 'a charge without a transfer', 0n, toBigint(row.quota))
        : deviation(`logs ${row.id}`, 'the charge shown', toBigint(row.total), toBigint(row.quota)),
    ),
}

export const requestChecks = [recomputable, logs]
