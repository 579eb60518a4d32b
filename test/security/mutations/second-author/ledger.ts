import type { SecurityMutation } from '../mutation.ts'

const db = 'apps/server/src/db'
const sqlite = `${db}/engines/sqlite/ledger`
const postgres = `${db}/engines/postgres`
const test = `${db}/ledger.test.ts`

/** A careless colleague could forget this in one engine of the ledger. */
export const ledgerMutations: readonly SecurityMutation[] = [
  {
    ids: ['L1'],
    file: `${postgres}/ledger-batch-open.sql.ts`,
    find: 'coalesce(min(a.frozen) = 0\n        and min',
    replace: 'coalesce(min',
    test,
    title: 'a frozen account refuses holds and still settles',
    engine: 'postgres',
  },
  {
    ids: ['L1'],
    file: `${sqlite}/statements.ts`,
    find: 'where user_id = :userId and frozen = 0 and balance',
    replace: 'where user_id = :userId and balance',
    test,
    title: 'a frozen account refuses holds and still settles',
  },
  {
    ids: ['L2'],
    file: `${db}/migrations/0001-first.ts`,
    find: "checks: ['held >= 0', 'balance >= held', 'frozen in (0, 1)']",
    replace: "checks: ['balance >= held', 'frozen in (0, 1)']",
    test,
    title: 'no statement can set a balance below its holds',
  },
  {
    ids: ['L3'],
    file: `${postgres}/ledger-batch-close.sql.ts`,
    find: '(delete from holds h where h.id = any (void_ids) returning h.*)',
    replace: '(select h.* from holds h where h.id = any (void_ids))',
    test,
    title: 'a voided hold leaves no trace, also when voided twice',
    engine: 'postgres',
  },
  {
    ids: ['L4'],
    file: `${sqlite}/settles.ts`,
    find: 'posted.late !== null || posted.shortfall !== null',
    replace: 'posted.late !== null',
    test,
    title: 'a late settle that found no balance is a shortfall once, and takes nothing later',
  },
  {
    ids: ['L5'],
    file: `${postgres}/ledger-batch-open.sql.ts`,
    find: 'h.user_id = hold_users[i] and h.unbounded = 1',
    replace: 'h.token_id = hold_tokens[i] and h.unbounded = 1',
    test,
    title: 'a user has one hold at a time that must be alone, on all tokens and in all batches',
    engine: 'postgres',
  },
  {
    ids: ['L6'],
    file: `${sqlite}/holds.ts`,
    find: '!ofUser.some(each => each.idempotency)',
    replace: '!ofUser.every(each => each.idempotency)',
    test,
    title: 'a hundred concurrent holds with one key are one request',
  },
  {
    ids: ['L7'],
    file: `${postgres}/schema.ts`,
    find: 'before update or delete or truncate on',
    replace: 'before update or delete on',
    test,
    title: 'the database refuses to change postings and audit rows',
    engine: 'postgres',
  },
  {
    ids: ['L8'],
    file: `${sqlite}/batch.ts`,
    find: 'if (!statements.isLive.get(epoch)) {',
    replace:
      "if (operations.some(each => each.kind === 'hold') && !statements.isLive.get(epoch)) {",
    test,
    title: 'a node that was declared dead writes nothing, and goes on under a new epoch',
  },
  {
    ids: ['L9'],
    file: `${sqlite}/postings.ts`,
    find: '    changes.write()\n    const account',
    replace: '    const account',
    test,
    title: 'a settle never charges more than the cap of its token covers',
  },
  {
    ids: ['L10'],
    file: `${sqlite}/holds.ts`,
    find: 'Math.min(want, account.available, token.available)',
    replace: 'Math.min(want, token.available)',
    test,
    title: 'a checkpoint extends the hold by the points that account and token cover',
  },
  {
    ids: ['L11'],
    file: `${postgres}/ledger-batch-open.sql.ts`,
    find: 'where h.id = checkpoint_ids[i] and h.epoch = node_epoch',
    replace: 'where h.id = checkpoint_ids[i]',
    test,
    title: 'a checkpoint changes no hold of another epoch, whether that node lives or not',
    engine: 'postgres',
  },
  {
    ids: ['L12'],
    file: `${sqlite}/settles.ts`,
    find: 'const amount = Math.min(accrued, held)',
    replace: 'const amount = accrued',
    test,
    title: 'a takeover charges no more than the hold, whatever was accrued',
  },
]
