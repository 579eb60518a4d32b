import type {
  CheckpointOperation,
  HoldOperation,
  LedgerOperation,
  RecoverOperation,
  SettleOperation,
  VoidOperation,
} from '../../operations.ts'
import type { LogsTable } from '../../tables/logs-audit.ts'
import { numberArray, textArray } from './arrays.ts'

/** A log row with the position of its settle in the batch; SQL arrays begin at 1. */
type BatchLog = { log: LogsTable; settle: number }

/** The operations of one batch by kind, in their order. */
export type LedgerBatch = {
  epoch: number
  isReplay: boolean
  settles: SettleOperation[]
  logs: BatchLog[]
  voids: VoidOperation[]
  recovers: RecoverOperation[]
  checkpoints: CheckpointOperation[]
  holds: HoldOperation[]
}

/** One parameter of the stored function: its declaration, and its value for a batch. */
type Parameter = { name: string; type: string; encode(batch: LedgerBatch): unknown }

type Kind = 'settles' | 'logs' | 'voids' | 'recovers' | 'checkpoints' | 'holds'
type Row<K extends Kind> = LedgerBatch[K][number]

const numberColumn = <K extends Kind>(
  kind: K,
  name: string,
  read: (row: Row<K>) => number | null | undefined,
  type = 'bigint[]',
): Parameter => ({
  name,
  type,
  encode: batch => numberArray(batch[kind] as Row<K>[], read),
})

const textColumn = <K extends Kind>(
  kind: K,
  name: string,
  read: (row: Row<K>) => string | undefined,
): Parameter => ({
  name,
  type: 'text[]',
  encode: batch => textArray(batch[kind] as Row<K>[], read),
})

/**
 * The parameters of `ledger_batch_v3`, in their order. The function is declared and called with this list. Databases of
 * earlier releases declare other names: order and types must not change, and the call is positional.
 */
export const ledgerBatchParameters: readonly Parameter[] = [
  { name: 'node_epoch', type: 'bigint', encode: batch => batch.epoch },
  { name: 'is_replay', type: 'boolean', encode: batch => batch.isReplay },

  numberColumn('settles', 'settle_ids', each => each.id),
  numberColumn('settles', 'settle_users', each => each.userId),
  numberColumn('settles', 'settle_tokens', each => each.tokenId),
  numberColumn('settles', 'settle_channels', each => each.channelId),
  numberColumn('settles', 'settle_charges', each => each.charge),
  numberColumn('settles', 'settle_prices', each => each.priceId),
  numberColumn('settles', 'settle_times', each => each.at),
  textColumn('settles', 'settle_receipts', each => each.usage),

  numberColumn('logs', 'log_settles', each => each.settle, 'int[]'),
  numberColumn('logs', 'log_ids', each => each.log.id),
  numberColumn('logs', 'log_users', each => each.log.user_id),
  numberColumn('logs', 'log_times', each => each.log.created_at),
  numberColumn('logs', 'log_types', each => each.log.type),
  textColumn('logs', 'log_contents', each => each.log.content),
  textColumn('logs', 'log_usernames', each => each.log.username),
  textColumn('logs', 'log_token_names', each => each.log.token_name),
  textColumn('logs', 'log_models', each => each.log.model_name),
  numberColumn('logs', 'log_prompt_tokens', each => each.log.prompt_tokens),
  numberColumn('logs', 'log_completion_tokens', each => each.log.completion_tokens),
  numberColumn('logs', 'log_channels', each => each.log.channel_id),
  numberColumn('logs', 'log_durations', each => each.log.request_time),
  numberColumn('logs', 'log_streams', each => each.log.is_stream),
  textColumn('logs', 'log_ips', each => each.log.source_ip),
  textColumn('logs', 'log_metadata', each => each.log.metadata),

  numberColumn('voids', 'void_ids', each => each.id),
  numberColumn('recovers', 'recover_ids', each => each.id),
  numberColumn('recovers', 'recover_times', each => each.at),

  numberColumn('checkpoints', 'checkpoint_ids', each => each.id),
  numberColumn('checkpoints', 'checkpoint_accrued', each => each.accrued),
  numberColumn('checkpoints', 'checkpoint_wants', each => each.want),
  textColumn('checkpoints', 'checkpoint_receipts', each => each.usage),

  numberColumn('holds', 'hold_ids', each => each.id),
  numberColumn('holds', 'hold_users', each => each.userId),
  numberColumn('holds', 'hold_tokens', each => each.tokenId),
  numberColumn('holds', 'hold_amounts', each => each.amount),
  numberColumn('holds', 'hold_prices', each => each.priceId),
  numberColumn('holds', 'hold_times', each => each.at),
  textColumn('holds', 'hold_key_hashes', each => each.idempotency?.keyHash),
  textColumn('holds', 'hold_body_hashes', each => each.idempotency?.bodyHash),
  numberColumn('holds', 'hold_unbounded', each => each.unbounded ?? 0, 'int[]'),

  numberColumn('logs', 'log_costs', each => each.log.cost),
  numberColumn('logs', 'log_cost_versions', each => each.log.cost_version),
  numberColumn('logs', 'log_cost_kinds', each => each.log.cost_kind),
  {
    name: 'attempt_rows',
    type: 'json',
    encode: ({ settles, voids }) =>
      JSON.stringify([...settles, ...voids].flatMap(each => each.attempts ?? [])),
  },
]

/** Those of `ledger_batch_v2`, which the release before calls: it knows no costs. */
export const previousLedgerBatchParameters = ledgerBatchParameters.slice(0, -4)

const ofKind = <K extends LedgerOperation['kind']>(
  operations: readonly LedgerOperation[],
  kind: K,
) => operations.filter((each): each is Extract<LedgerOperation, { kind: K }> => each.kind === kind)

export const groupByKind = (
  epoch: number,
  operations: readonly LedgerOperation[],
  isReplay: boolean,
): LedgerBatch => {
  const settles = ofKind(operations, 'settle')
  return {
    epoch,
    isReplay,
    settles,
    logs: settles.flatMap(({ log }, at) => (log ? [{ log, settle: at + 1 }] : [])),
    voids: ofKind(operations, 'void'),
    recovers: ofKind(operations, 'recover'),
    checkpoints: ofKind(operations, 'checkpoint'),
    holds: ofKind(operations, 'hold'),
  }
}
