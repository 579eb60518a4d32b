import type { DatabaseSync } from 'node:sqlite'
import { type UnboundedHold, unboundedHolds } from '../../../operations.ts'

/** The parameters of all statements with their types. Times are Unix seconds, amounts are points. */
type ParameterTypes = {
  id: number
  requestId: number
  userId: number
  tokenId: number
  channelId: number
  priceId: number
  epoch: number
  at: number
  amount: number
  accrued: number
  charge: number
  held: number
  requests: number
  count: number
  kind: 'request' | 'late'
  unbounded: UnboundedHold | null
  shortfallKind: 'unbounded' | null
  source: string
  debit: number
  credit: number
  usage: string
  keyHash: string
  bodyHash: string
  responseId: string
  credential: string
  createdAt: number
  logType: number
  content: string
  username: string
  tokenName: string
  modelName: string
  promptTokens: number
  completionTokens: number
  requestTime: number
  isStream: number
  sourceIp: string
  metadata: string
  cost: number | null
  costVersion: number | null
  costKind: number | null
  attempt: number
  groupName: string
}
type ParameterName = keyof ParameterTypes

/** The values of a statement: one per parameter name, in the order of the list. */
type Values<N extends readonly ParameterName[]> = { [I in keyof N]: ParameterTypes[N[I]] }

/** `get` without a use of its result is cheaper than `run`, which always allocates one. */
type Statement<N extends readonly ParameterName[]> = {
  run(...values: Values<N>): { changes: number | bigint }
  get(...values: Values<N>): unknown
}

export type Statements = ReturnType<typeof prepareStatements>

/** The available amount of a token without a cap. */
const unlimited = Number.MAX_SAFE_INTEGER

export const prepareStatements = (database: DatabaseSync) => {
  const prepare: Prepare = (names, sql, rows = 'object') => {
    const statement = database.prepare(numbered(names, sql))
    if (rows === 'array') statement.setReturnArrays(true)
    return statement as unknown as Statement<typeof names>
  }
  return {
    begin: prepare([], 'begin immediate'),
    commit: prepare([], 'commit'),
    rollback: prepare([], 'rollback'),
    isLive: prepare(['epoch'], `select 1 from nodes where epoch = :epoch and state = 'live'`),
    holds: holdStatements(prepare),
    tokens: tokenStatements(prepare),
    accounts: accountStatements(prepare),
    postings: postingStatements(prepare),
    logs: logStatements(prepare),
    requests: requestStatements(prepare),
  }
}

/** Rows as arrays are cheaper: an object with names costs as much again as the statement. */
type Prepare = <const N extends readonly ParameterName[]>(
  names: N,
  sql: string,
  rows?: 'object' | 'array',
) => Statement<N>

/**
 * Replaces `:name` by the position in the list of names. The values are bound by position, because named binding in
 * node:sqlite costs an object per call.
 */
const numbered = (names: readonly ParameterName[], sql: string): string =>
  sql.replace(/:(\w+)/g, (_, name: ParameterName) => `?${names.indexOf(name) + 1}`)

const holdStatements = (prepare: Prepare) => ({
  insert: prepare(
    ['id', 'userId', 'tokenId', 'epoch', 'amount', 'priceId', 'at', 'unbounded'],
    `insert into holds (id, user_id, token_id, epoch, amount, accrued, price_id, usage, opened_at,
         unbounded)
       values (:id, :userId, :tokenId, :epoch, :amount, 0, :priceId, '', :at, :unbounded)
       on conflict do nothing`,
  ),
  findUnbounded: prepare(
    ['userId', 'id'],
    `select 1 from holds
     where user_id = :userId and unbounded = ${unboundedHolds.alone} and id <> :id limit 1`,
  ),
  close: prepare(
    ['id'],
    `delete from holds where id = :id
       returning user_id, token_id, amount, accrued, price_id, usage, unbounded`,
    'array',
  ),
  accrue: prepare(
    ['accrued', 'usage', 'id', 'epoch'],
    `update holds set accrued = :accrued, usage = :usage where id = :id and epoch = :epoch
       returning user_id, token_id`,
  ),
  extend: prepare(['amount', 'id'], 'update holds set amount = amount + :amount where id = :id'),
})

const tokenStatements = (prepare: Prepare) => ({
  reserve: prepare(
    ['amount', 'tokenId', 'userId', 'at'],
    `update token_spend set held = held + :amount
     where token_id = :tokenId and user_id = :userId and status = 1
     and (expires_at = -1 or expires_at > :at)
     and (cap is null or cap - used - held >= :amount)`,
  ),
  release: prepare(
    ['amount', 'tokenId'],
    'update token_spend set held = held - :amount where token_id = :tokenId',
  ),
  charge: prepare(
    ['charge', 'held', 'at', 'tokenId'],
    `update token_spend set used = used + :charge, held = held - :held,
     last_used_at = max(last_used_at, :at) where token_id = :tokenId`,
  ),
  find: prepare(
    ['tokenId', 'userId'],
    `select status, expires_at, held, coalesce(cap - used - held, ${unlimited}) as available
     from token_spend where token_id = :tokenId and user_id = :userId`,
  ),
})

const accountStatements = (prepare: Prepare) => ({
  reserve: prepare(
    ['amount', 'userId'],
    `update accounts set held = held + :amount
     where user_id = :userId and frozen = 0 and balance - held >= :amount`,
  ),
  charge: prepare(
    ['charge', 'held', 'requests', 'userId'],
    `update accounts set balance = balance - :charge, held = held - :held, used = used + :charge,
     requests = requests + :requests where user_id = :userId`,
  ),
  find: prepare(
    ['userId'],
    'select frozen, held, balance - held as available from accounts where user_id = :userId',
  ),
})

const postingStatements = (prepare: Prepare) => ({
  insert: prepare(
    [
      'id',
      'at',
      'kind',
      'source',
      'debit',
      'credit',
      'amount',
      'tokenId',
      'channelId',
      'priceId',
      'usage',
    ],
    `insert into transfers
     (id, at, kind, source, debit, credit, amount, token_id, channel_id, price_id, usage)
     values (:id, :at, :kind, :source, :debit, :credit, :amount, :tokenId, :channelId, :priceId,
     :usage)`,
  ),
  find: prepare(
    ['id'],
    `select t.amount, l.amount as late, s.amount as shortfall from transfers t
     left join transfers l on l.id = -t.id left join shortfalls s on s.id = t.id where t.id = :id`,
  ),
  exists: prepare(['id'], 'select 1 from transfers where id = :id'),
  insertShortfall: prepare(
    ['id', 'userId', 'amount', 'at', 'shortfallKind'],
    `insert into shortfalls (id, user_id, amount, at, kind)
     values (:id, :userId, :amount, :at, :shortfallKind)`,
  ),
  addChannelUsed: prepare(
    ['channelId', 'epoch', 'amount', 'count'],
    `insert into channel_used (channel_id, epoch, used, n)
     values (:channelId, :epoch, :amount, :count)
     on conflict do update set used = used + excluded.used, n = n + excluded.n`,
  ),
})

const logStatements = (prepare: Prepare) => ({
  insert: prepare(
    [
      'id',
      'userId',
      'createdAt',
      'logType',
      'content',
      'username',
      'tokenName',
      'modelName',
      'charge',
      'promptTokens',
      'completionTokens',
      'channelId',
      'requestTime',
      'isStream',
      'sourceIp',
      'metadata',
      'cost',
      'costVersion',
      'costKind',
    ],
    `insert into logs (id, user_id, created_at, type, content, username, token_name, model_name,
     quota, prompt_tokens, completion_tokens, channel_id, request_time, is_stream, source_ip,
     metadata, cost, cost_version, cost_kind)
     values (:id, :userId, :createdAt, :logType, :content, :username, :tokenName, :modelName,
     :charge, :promptTokens, :completionTokens, :channelId, :requestTime, :isStream, :sourceIp,
     :metadata, :cost, :costVersion, :costKind)
     on conflict do nothing`,
  ),
  insertAttemptCost: prepare(
    [
      'requestId',
      'attempt',
      'at',
      'userId',
      'tokenId',
      'groupName',
      'channelId',
      'modelName',
      'cost',
      'costVersion',
      'costKind',
      'usage',
    ],
    `insert into attempt_costs (call_id, attempt, at, user_id, token_id, group_name, channel_id,
     model_name, cost, cost_version, cost_kind, usage)
     values (:requestId, :attempt, :at, :userId, :tokenId, :groupName, :channelId,
     :modelName, :cost, :costVersion, :costKind, :usage)
     on conflict do nothing`,
  ),
})

const requestStatements = (prepare: Prepare) => ({
  insertStoredResponse: prepare(
    ['responseId', 'userId', 'channelId', 'credential', 'requestId', 'createdAt'],
    `insert into stored_answers (id, user_id, channel_id, credential, request_id, created_at)
     values (:responseId, :userId, :channelId, :credential, :requestId, :createdAt)
     on conflict do nothing`,
  ),
  insertIdempotencyKey: prepare(
    ['keyHash', 'bodyHash', 'requestId', 'at'],
    `insert into idempotency (key_hash, body_hash, request_id, at)
     values (:keyHash, :bodyHash, :requestId, :at) on conflict do nothing`,
  ),
  findIdempotencyKey: prepare(
    ['keyHash'],
    'select request_id, body_hash from idempotency where key_hash = :keyHash',
  ),
  deleteIdempotencyKey: prepare(
    ['requestId'],
    'delete from idempotency where request_id = :requestId',
  ),
})
