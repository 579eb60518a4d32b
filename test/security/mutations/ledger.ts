import type { SecurityMutation } from './mutation.ts'

const engines = 'apps/server/src/db/engines'
const sqlite = `${engines}/sqlite/ledger`
const opening = `${engines}/postgres/ledger-batch-open.sql.ts`
const closing = `${engines}/postgres/ledger-batch-close.sql.ts`
const statements = `${sqlite}/statements.ts`
const settles = `${sqlite}/settles.ts`
const holds = `${sqlite}/holds.ts`
const tables = 'apps/server/src/db/migrations/0001-first.ts'
const test = 'apps/server/src/db/ledger.test.ts'

/** Guards of `docs/ledger.md` on SQLite. */
const onSqlite: readonly SecurityMutation[] = [
  {
    ids: ['L1'],
    file: statements,
    find: 'frozen = 0 and balance - held >= :amount',
    replace: 'frozen = 0 and balance >= :amount',
    test,
    title: 'a hold beyond balance minus holds is refused and leaves the token alone',
  },
  {
    ids: ['L1'],
    file: statements,
    find: 'where user_id = :userId and frozen = 0 and balance',
    replace: 'where user_id = :userId and balance',
    test,
    title: 'a frozen account refuses holds and still settles',
  },
  {
    ids: ['L2'],
    file: tables,
    find: "checks: ['held >= 0', 'balance >= held', 'frozen in (0, 1)']",
    replace: "checks: ['frozen in (0, 1)']",
    test,
    title: 'no statement can set a balance below its holds',
  },
  {
    ids: ['L3'],
    file: statements,
    find: '`delete from holds where id = :id\n       returning user_id, token_id, amount, accrued, price_id, usage, unbounded`',
    replace:
      '`select user_id, token_id, amount, accrued, price_id, usage, unbounded from holds where id = :id`',
    test,
    title: 'a voided hold leaves no trace, also when voided twice',
  },
  {
    ids: ['L4'],
    file: settles,
    find: 'if (posted && (isOwnEpoch ||',
    replace: 'if (posted && (!isOwnEpoch ||',
    test,
    title: 'settling twice charges once',
  },
  {
    ids: ['L4'],
    file: settles,
    find: ' || posted.late !== null',
    replace: '',
    test,
    title: 'a takeover charges what was accrued, and the late settle the difference, up or down',
  },
  {
    ids: ['L5'],
    file: holds,
    find: 'holds.findUnbounded.get(userId, id) !== undefined',
    replace: 'holds.findUnbounded.get(userId, id) === null',
    test,
    title: 'a user has one hold at a time that must be alone, on all tokens and in all batches',
  },
  {
    ids: ['L6'],
    file: holds,
    find: 'return row.request_id === id ? undefined : row',
    replace: 'return row.request_id ? undefined : row',
    test,
    title: 'a hundred concurrent holds with one key are one request',
  },
  {
    ids: ['L7'],
    file: `${engines}/sqlite/schema.ts`,
    find: 'return table.appendOnly ? [create, ...refuseChanges(table.name)] : [create]',
    replace: 'return table.appendOnly && refuseChanges ? [create] : [create]',
    test,
    title: 'the database refuses to change postings and audit rows',
  },
  {
    ids: ['L8'],
    file: statements,
    find: "epoch = :epoch and state = 'live'`),",
    replace: 'epoch = :epoch`),',
    test,
    title: 'a node that was declared dead writes nothing, and goes on under a new epoch',
  },
  {
    ids: ['L9'],
    file: `${sqlite}/postings.ts`,
    find: 'Math.min(account?.available ?? 0, token?.available ?? Number.MAX_SAFE_INTEGER)',
    replace: 'account?.available ?? 0',
    test,
    title: 'a settle never charges more than the cap of its token covers',
  },
  {
    ids: ['L9'],
    file: `${sqlite}/postings.ts`,
    find: 'const taken = Math.min(amount, Math.max(0, available))',
    replace: 'const taken = Math.min(amount, Math.max(amount, available))',
    test,
    title: 'a charge above the hold takes the available balance, and the rest is a shortfall',
  },
  {
    ids: ['L10'],
    file: holds,
    find: 'Math.max(0, Math.min(want, account.available, token.available))',
    replace: 'Math.max(0, want)',
    test,
    title: 'a checkpoint extends the hold by the points that account and token cover',
  },
  {
    ids: ['L11'],
    file: statements,
    find: 'where id = :id and epoch = :epoch',
    replace: 'where id = :id and :epoch = :epoch',
    test,
    title: 'a checkpoint changes no hold of another epoch, whether that node lives or not',
  },
  {
    ids: ['L12'],
    file: settles,
    find: 'const amount = Math.min(accrued, held)',
    replace: 'const amount = held',
    test,
    title: 'a takeover charges what was accrued, and the late settle the difference, up or down',
  },
]

/** Guards of `docs/ledger.md` on PostgreSQL. */
const onPostgres: readonly Omit<SecurityMutation, 'engine'>[] = [
  {
    ids: ['L1'],
    file: opening,
    find: 'a.frozen = 0 and a.balance - a.held >= hold_amounts[i]',
    replace: 'a.frozen = 0 and a.balance >= hold_amounts[i]',
    also: [
      {
        file: opening,
        find: 'min(a.balance - a.held) >= sum(q.amount)',
        replace: 'min(a.balance) >= sum(q.amount)',
      },
    ],
    test,
    title: 'a hold beyond balance minus holds is refused and leaves the token alone',
  },
  {
    ids: ['L1'],
    file: opening,
    find: 'coalesce(min(a.frozen) = 0\n        and min',
    replace: 'coalesce(min(a.frozen) >= 0\n        and min',
    test,
    title: 'a frozen account refuses holds and still settles',
  },
  {
    ids: ['L3'],
    file: closing,
    find: 'with closed as (delete from holds h where h.id = any (void_ids) returning h.*),\n  a as',
    replace: 'with closed as (select h.* from holds h where h.id = any (void_ids)),\n  a as',
    test,
    title: 'a voided hold leaves no trace, also when voided twice',
  },
  {
    ids: ['L4'],
    file: closing,
    find: 'settle_ids[i] / 4294967296 = node_epoch\n',
    replace: 'settle_ids[i] / 4294967296 <> node_epoch\n',
    test,
    title: 'settling twice charges once',
  },
  {
    ids: ['L5'],
    file: opening,
    find: 'select 1 from holds h where h.user_id = hold_users[i] and h.unbounded = 1)',
    replace: 'select 1 from holds h where h.user_id = hold_users[i] and h.unbounded = 3)',
    test,
    title: 'a user has one hold at a time that must be alone, on all tokens and in all batches',
  },
  {
    ids: ['L6'],
    file: opening,
    find: "hold_refusals[i] := 'duplicate'; hold_fits[i] := false;",
    replace: '',
    test,
    title: 'a hundred concurrent holds with one key are one request',
  },
  {
    ids: ['L7'],
    file: `${engines}/postgres/schema.ts`,
    find: 'return table.appendOnly ? [...statements, ...refuseChanges(name)] : statements',
    replace: 'return table.appendOnly && refuseChanges ? statements : statements',
    test,
    title: 'the database refuses to change postings and audit rows',
  },
  {
    ids: ['L8'],
    file: `${engines}/postgres/ledger-batch.sql.ts`,
    find: "where epoch = node_epoch and state = 'live' for share",
    replace: 'where epoch = node_epoch for share',
    test,
    title: 'a node that was declared dead writes nothing, and goes on under a new epoch',
  },
  {
    ids: ['L9'],
    file: closing,
    find: 'available := least(available, (select s.cap - s.used - s.held from token_spend s\n      where s.token_id = settle_tokens[i]));',
    replace: '',
    test,
    title: 'a settle never charges more than the cap of its token covers',
  },
  {
    ids: ['L9'],
    file: closing,
    find: 'least(settle_charges[i] - charged_before, greatest(available, 0))',
    replace: 'settle_charges[i] - charged_before',
    test,
    title: 'a charge above the hold takes the available balance, and the rest is a shortfall',
  },
  {
    ids: ['L10'],
    file: opening,
    find: 'select greatest(0, least(checkpoint_wants[i], a.balance - a.held,\n          coalesce(s.cap - s.used - s.held, checkpoint_wants[i]))) into taken',
    replace: 'select checkpoint_wants[i] into taken',
    test,
    title: 'a checkpoint extends the hold by the points that account and token cover',
  },
  {
    ids: ['L11'],
    file: opening,
    find: 'h.id = checkpoint_ids[i] and h.epoch = node_epoch returning',
    replace: 'h.id = checkpoint_ids[i] returning',
    test,
    title: 'a checkpoint changes no hold of another epoch, whether that node lives or not',
  },
  {
    ids: ['L12'],
    file: closing,
    find: 'taken := least(hold_row.accrued, hold_row.amount);',
    replace: 'taken := hold_row.amount;',
    test,
    title: 'a takeover charges what was accrued, and the late settle the difference, up or down',
  },
]

/** Guards of the ledger, which stand once for each engine. */
export const ledgerMutations: readonly SecurityMutation[] = [
  ...onSqlite,
  ...onPostgres.map(each => ({ ...each, engine: 'postgres' as const })),
]
