import { type Check, deviation, finding, toBigint } from '../check.ts'

/** Credits minus debits of each account over all transfers. */
const changes = `select account, sum(change) as total from (
  select credit as account, amount as change from transfers
  union all select debit, -amount from transfers) as sides group by account`

const trialBalance: Check = {
  invariant: 'I1',
  title: 'The balances of users equal what the system accounts gave',
  find: async ({ rows }) => {
    const [row] = await rows(`select (select coalesce(sum(balance), 0) from accounts) as users,
      coalesce(sum(total), 0) as system_total from (${changes}) as sums where account < 0`)
    const [users, system] = [toBigint(row?.users), toBigint(row?.system_total)]
    return users === -system
      ? []
      : [deviation('accounts', 'the sum of all balances', -system, users)]
  },
}

const balances: Check = {
  invariant: 'I1',
  title: 'Each balance is the sum of its postings',
  find: async ({ rows }) =>
    (
      await rows(`select a.user_id, a.balance, coalesce(c.total, 0) as total
        from accounts a left join (${changes}) as c on c.account = a.user_id
        where a.balance <> coalesce(c.total, 0)`)
    ).map(row =>
      deviation(
        `accounts ${row.user_id}`,
        'the balance',
        toBigint(row.total),
        toBigint(row.balance),
      ),
    ),
}

/** The system accounts have the ids -1 to -4 and no row in `accounts`. */
const accountsExist: Check = {
  invariant: 'I1',
  title: 'Each posting is between accounts that exist',
  find: async ({ rows }) =>
    (
      await rows(`select t.id from transfers t where t.debit = t.credit
        or (t.debit < 0 and t.debit < -4) or (t.credit < 0 and t.credit < -4)
        or (t.debit >= 0 and not exists (select 1 from accounts a where a.user_id = t.debit))
        or (t.credit >= 0 and not exists (select 1 from accounts a where a.user_id = t.credit))`)
    ).map(row => finding(`transfers ${row.id}`, 'one side is no account')),
}

const neverBelowZero: Check = {
  invariant: 'I4',
  title: 'No amount is negative, and no more is held than the balance',
  find: async ({ rows }) => [
    ...(
      await rows(`select user_id, balance, held from accounts
        where balance < 0 or held < 0 or balance < held`)
    ).map(row => {
      const least = toBigint(row.held) > 0n ? toBigint(row.held) : 0n
      return deviation(`accounts ${row.user_id}`, 'the balance', least, toBigint(row.balance))
    }),
    ...(await rows('select token_id, used, held from token_spend where held < 0 or used < 0')).map(
      row => finding(`token_spend ${row.token_id}`, `used ${row.used}, held ${row.held}`),
    ),
  ],
}

const held: Check = {
  invariant: 'I3',
  title: 'The held amount is the sum of the open holds',
  find: async ({ rows }) => [
    ...(
      await rows(`select a.user_id, a.held, coalesce(h.total, 0) as total from accounts a
        left join (select user_id, sum(amount) as total from holds group by user_id) h
        on h.user_id = a.user_id where a.held <> coalesce(h.total, 0)`)
    ).map(row =>
      deviation(`accounts ${row.user_id}`, 'held', toBigint(row.total), toBigint(row.held)),
    ),
    ...(
      await rows(`select s.token_id, s.held, coalesce(h.total, 0) as total from token_spend s
        left join (select token_id, sum(amount) as total from holds group by token_id) h
        on h.token_id = s.token_id where s.held <> coalesce(h.total, 0)`)
    ).map(row =>
      deviation(`token_spend ${row.token_id}`, 'held', toBigint(row.total), toBigint(row.held)),
    ),
  ],
}

export const balanceChecks = [trialBalance, balances, accountsExist, neverBelowZero, held]
