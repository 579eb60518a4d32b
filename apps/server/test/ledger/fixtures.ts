import type { Database, Store } from '../../src/db/index.ts'
import type { HoldOperation, SettleOperation } from '../../src/db/operations.ts'
import type { LogsTable } from '../../src/db/tables/logs-audit.ts'

export const testTime = 1_790_000_000

export const insertAccount = (db: Database, userId: number, balance: number, frozen = 0) =>
  db
    .insertInto('accounts')
    .values({ user_id: userId, balance, held: 0, used: 0, requests: 0, frozen })
    .execute()

type Spend = { status?: number; expires_at?: number; cap?: number | null; held?: number }

export const insertToken = (db: Database, tokenId: number, userId: number, spend: Spend = {}) =>
  db
    .insertInto('token_spend')
    .values({
      token_id: tokenId,
      user_id: userId,
      status: 1,
      expires_at: -1,
      cap: null,
      used: 0,
      held: 0,
      last_used_at: 0,
      ...spend,
    })
    .execute()

export const makeLogRow = (id: number, userId: number, quota: number): LogsTable => ({
  id,
  user_id: userId,
  created_at: testTime,
  type: 2,
  content: 'a "quoted" \\ line\nand {braces}, 漢字',
  username: 'ann',
  token_name: 'a token',
  model_name: 'gpt-4o',
  quota,
  prompt_tokens: 10,
  completion_tokens: 20,
  channel_id: 3,
  request_time: 1200,
  is_stream: 1,
  source_ip: '127.0.0.1',
  metadata: '{"first_response":12}',
})

/** The ledger operations of one user and token, with defaults for all other fields. */
export const ledgerOf = ({ ledger }: Store, userId = 1, tokenId = 10) => {
  const hold = (amount: number, more: Partial<HoldOperation> = {}) => {
    const id = more.id ?? ledger.nextId()
    const operation = {
      kind: 'hold' as const,
      id,
      userId,
      tokenId,
      amount,
      priceId: 1,
      at: testTime,
      ...more,
    }
    return ledger.submit(operation).then(outcome => ({ id, outcome }))
  }
  const settle = (id: number, charge: number, more: Partial<SettleOperation> = {}) =>
    ledger.submit({
      kind: 'settle' as const,
      id,
      userId,
      tokenId,
      channelId: 3,
      charge,
      priceId: 1,
      usage: '{"usage":{"input":10}}',
      at: testTime,
      log: makeLogRow(id, userId, charge),
      ...more,
    })
  const checkpoint = (id: number, accrued: number, want = 0) =>
    ledger.submit({ kind: 'checkpoint' as const, id, accrued, usage: '{"so":"far"}', want })
  const giveBack = (id: number) => ledger.submit({ kind: 'void' as const, id })
  const recover = (id: number) => ledger.submit({ kind: 'recover' as const, id, at: testTime })
  return { hold, settle, checkpoint, giveBack, recover }
}

export const getAccount = ({ db }: Store, userId = 1) =>
  db.selectFrom('accounts').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()

export const getTokenSpend = ({ db }: Store, tokenId = 10) =>
  db.selectFrom('token_spend').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow()
