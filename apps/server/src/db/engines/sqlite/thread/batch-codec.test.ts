import { expect, it } from 'vitest'
import type { LedgerOperation, Outcome } from '../../../operations.ts'
import {
  decodeOperations,
  decodeOutcomes,
  encodeOperations,
  encodeOutcomes,
} from './batch-codec.ts'

const log = {
  id: 7,
  user_id: 1,
  created_at: 1_763_600_000,
  type: 2,
  content: '',
  username: 'a"b\\\u0000\u001f\u2028',
  token_name: '名',
  model_name: 'm',
  quota: 12,
  prompt_tokens: 3,
  completion_tokens: 4,
  channel_id: 5,
  request_time: 6,
  is_stream: 0,
  source_ip: '::1',
  cost: Number.MAX_SAFE_INTEGER,
  cost_version: 2 ** 52 - 1,
  cost_kind: 3,
  metadata: '{"finish":"complete"}',
}

const attempt = {
  ...{ call_id: 2 ** 52 + 7, attempt: 1, at: 9, user_id: 1, token_id: 2, group_name: 'default' },
  ...{ channel_id: 5, model_name: 'm', cost: null, cost_version: null, cost_kind: null },
  usage: '{"input":3}',
}

const base = { id: 2 ** 52 + 7, userId: 1, tokenId: 2 }
const operations: LedgerOperation[] = [
  { kind: 'hold', ...base, amount: 500, priceId: 3, at: 9 },
  {
    kind: 'hold',
    ...base,
    amount: 0,
    priceId: 3,
    at: 9,
    idempotency: { keyHash: 'k', bodyHash: 'b' },
  },
  { kind: 'settle', ...base, channelId: 4, charge: 12, priceId: 3, usage: '{"a":1}', at: 9, log },
  {
    kind: 'settle',
    ...base,
    channelId: 4,
    charge: Number.MAX_SAFE_INTEGER,
    priceId: 3,
    usage: '',
    at: 9,
    log: null,
    attempts: [attempt],
  },
  { kind: 'checkpoint', id: 8, accrued: 1, usage: '{}', want: 2 },
  { kind: 'void', id: 8 },
  { kind: 'void', id: 9, attempts: [attempt] },
  { kind: 'recover', id: 8, at: 10 },
]

it('every operation arrives as it was sent', () => {
  expect(decodeOperations(encodeOperations(operations))).toEqual(operations)
})

it('every outcome arrives as it was sent', () => {
  const outcomes: Outcome[] = [
    { ok: true },
    { ok: true, charged: 12, shortfall: 0, late: false },
    { ok: true, charged: 0, shortfall: 3, late: true },
    { ok: true, granted: 0 },
    { ok: false, why: 'gone' },
    { ok: false, why: 'duplicate', requestId: 8, bodyHash: 'b' },
    { ok: false, why: 'balance' },
  ]
  expect(decodeOutcomes(encodeOutcomes(outcomes))).toEqual(outcomes)
})
