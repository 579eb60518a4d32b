import { type Check, deviation, finding, toBigint } from '../check.ts'

/** The form of the source of each kind of posting. Requests have their own checks. */
const shapes: Record<string, RegExp> = {
  grant: /^user:\d+$/,
  invitee: /^user:\d+$/,
  inviter: /^user:\d+(:\d+)?$/,
  redemption: /^redemption:\d+$/,
  import: /^user:\d+$/,
  admin: /^.+$/,
  order: /^order:\d+$/,
  refund: /^order:\d+:\d+$/,
  debt: /^order:\d+:\d+$/,
  late: /^\d+$/,
}
/** Kinds that the system account -2 gives to a user. */
const grantKinds = ['grant', 'invitee', 'inviter', 'redemption', 'import']

const kinds: Check = {
  invariant: 'I2',
  title: 'Each posting has a known kind and a matching source',
  find: async ({ rows }) =>
    (await rows("select id, kind, source from transfers where kind <> 'request'"))
      .filter(row => !shapes[String(row.kind)]?.test(String(row.source)))
      .map(row => finding(`transfers ${row.id}`, `kind ${row.kind} with source ${row.source}`)),
}

const list = grantKinds.map(kind => `'${kind}'`).join(', ')

const sides: Check = {
  invariant: 'I1',
  title: 'A grant comes from the system account and goes to the user that its source names',
  find: async ({ rows }) => [
    ...(
      await rows(`select id, kind from transfers
        where kind in (${list}) and (debit <> -2 or credit <= 0)
          and not (kind = 'inviter' and credit = -2 and debit > 0)`)
    ).map(row => finding(`transfers ${row.id}`, `a ${row.kind} between the wrong accounts`)),
    ...(
      await rows(`select id, kind from transfers where kind = 'admin'
        and not (debit = -2 and credit > 0) and not (credit = -2 and debit > 0)`)
    ).map(row => finding(`transfers ${row.id}`, `a ${row.kind} between the wrong accounts`)),
    ...(
      await rows(`select id, kind, amount from transfers where kind in ('grant', 'invitee', 'import')
        and source <> 'user:' || cast(credit as text)`)
    ).map(row => ({
      ...finding(`transfers ${row.id}`, `a ${row.kind} for somebody else`),
      deviation: toBigint(row.amount),
    })),
  ],
}

/** The source of a reward names the invited user, whose inviter must be the recipient. */
const invitations: Check = {
  invariant: 'I2',
  title: 'Each reward belongs to an invitation',
  find: async ({ rows }) => {
    const users = await rows('select id, inviter_id from users where inviter_id > 0')
    const inviters = new Map(users.map(({ id, inviter_id }) => [String(id), inviter_id]))
    const rewards = await rows(`select id, kind, source, amount,
        case when credit > 0 then credit else debit end as person
      from transfers where kind in ('inviter', 'invitee')`)
    return rewards
      .filter(({ kind, source, person }) => {
        const inviter = inviters.get(String(source).split(':')[1] ?? '')
        return inviter === undefined || (kind === 'inviter' && inviter !== person)
      })
      .map(row => ({
        ...finding(`transfers ${row.id}`, `a ${row.kind} without an invitation`),
        deviation: toBigint(row.amount),
      }))
  },
}

/** Points that each inviter got and kept. */
const rewards = `select case when credit > 0 then credit else debit end as person,
    sum(case when credit > 0 then amount else -amount end) as total
  from transfers where kind = 'inviter' group by 1`

const invited: Check = {
  invariant: 'I1',
  title: 'Invitation counters are sums of postings and of users',
  find: async ({ rows }) => [
    ...(
      await rows(`select u.id, coalesce(u.aff_quota, 0) as found, coalesce(t.total, 0) as total
        from users u left join (${rewards}) t on t.person = u.id
        where coalesce(u.aff_quota, 0) <> coalesce(t.total, 0)`)
    ).map(row =>
      deviation(`users ${row.id}`, 'the reward', toBigint(row.total), toBigint(row.found)),
    ),
    ...(
      await rows(`select u.id, coalesce(u.aff_count, 0) as found, coalesce(i.n, 0) as n
        from users u left join (select inviter_id, count(*) as n from users
          where inviter_id > 0 group by inviter_id) i on i.inviter_id = u.id
        where coalesce(u.aff_count, 0) <> coalesce(i.n, 0)`)
    ).map(row => finding(`users ${row.id}`, `invited ${row.found}, but must be ${row.n}`)),
  ],
}

const redemptions: Check = {
  invariant: 'I2',
  title: 'Each used code has one posting, of its quota and to the user who redeemed it',
  find: async ({ rows }) => [
    ...(
      await rows(`select r.id, r.quota, coalesce(t.amount, 0) as amount
        from redemptions r left join transfers t
          on t.kind = 'redemption' and t.source = 'redemption:' || cast(r.id as text)
        where r.status = 3 and (coalesce(t.amount, 0) <> r.quota
          or (r.quota > 0 and t.credit <> r.used_user_id))`)
    ).map(row =>
      deviation(
        `redemptions ${row.id}`,
        'what was given',
        toBigint(row.quota),
        toBigint(row.amount),
      ),
    ),
    ...(
      await rows(`select t.id, t.amount from transfers t left join redemptions r
        on t.source = 'redemption:' || cast(r.id as text)
        where t.kind = 'redemption' and (r.id is null or r.status <> 3)`)
    ).map(row => ({
      ...finding(`transfers ${row.id}`, 'a redemption of no used code'),
      deviation: toBigint(row.amount),
    })),
  ],
}

/** An invitation says what it gave. Those of before the table have no row. */
const given: Check = {
  invariant: 'I2',
  title: 'What an invitation gave is the sum of its postings',
  find: async ({ rows }) => {
    const sums = new Map<string, bigint>()
    const postings = await rows(`select kind, source, credit, amount from transfers
      where kind in ('inviter', 'invitee')`)
    for (const { kind, source, credit, amount } of postings) {
      const key = `${kind}:${String(source).split(':')[1]}`
      const change = toBigint(credit) > 0n ? toBigint(amount) : -toBigint(amount)
      sums.set(key, (sums.get(key) ?? 0n) + change)
    }
    const stored = await rows('select user_id, gift_given, reward_given from invitations')
    return stored.flatMap(({ user_id, gift_given, reward_given }) =>
      (
        [
          ['invitee', gift_given],
          ['inviter', reward_given],
        ] as const
      ).flatMap(([kind, value]) => {
        const [expected, found] = [sums.get(`${kind}:${user_id}`) ?? 0n, toBigint(value)]
        return expected === found
          ? []
          : [deviation(`invitations ${user_id}`, `the ${kind}`, expected, found)]
      }),
    )
  },
}

export const grantChecks = [kinds, sides, invitations, invited, given, redemptions]
