import { attempts, recover, settle, voids } from './ledger-batch-close.sql.ts'
import { checkpoint, hold } from './ledger-batch-open.sql.ts'
import { ledgerBatchParameters, previousLedgerBatchParameters } from './ledger-batch-parameters.ts'

// The stored function `ledger_batch_v3` performs one batch of ledger operations in one statement and one transaction.
//
// Names: a parameter or array `settle_…`, `log_…`, `void_…`, `recover_…`, `checkpoint_…` or `hold_…` has one element per
// operation of that kind, and element i of each belongs to operation i. `posting_…` are the rows of `transfers` that the
// settles produce. The function has a version, so that two releases can work on one database, each with its own.
//
// Isolation is READ COMMITTED: each statement sees the effects of the previous one. The function first locks the rows of
// all accounts and tokens in the order of their ids, so that what it reads stays true and batches cannot deadlock.
// Operations that fit together are executed as a set, the others one by one.

const lock = `
  perform 1 from nodes where epoch = node_epoch and state = 'live' for share;
  if not found then
    raise exception 'epoch % is not live', node_epoch using errcode = 'HB001';
  end if;
  if settle_count = 0 and checkpoint_count = 0
    and cardinality(void_ids) = 0 and cardinality(recover_ids) = 0
  then
    -- Holds alone need no flush: a later settle flushes them too, and a lost hold settles as late.
    perform set_config('synchronous_commit', 'off', true);
  end if;
  select array_agg(h.user_id), array_agg(h.token_id) into open_hold_users, open_hold_tokens
    from holds h where h.id = any (settle_ids || void_ids || recover_ids || checkpoint_ids);
  perform 1 from accounts where user_id = any (settle_users || hold_users || open_hold_users)
    order by user_id for no key update;
  perform 1 from token_spend where token_id = any (settle_tokens || hold_tokens || open_hold_tokens)
    order by token_id for no key update;`

/** The parameters that the release before lacks. */
const withoutCosts = `attempt_rows json := '[]';
  log_costs bigint[] := array_fill(null::bigint, array[cardinality(log_ids)]);
  log_cost_versions bigint[] := log_costs; log_cost_kinds bigint[] := log_costs;`

const bodyOf = (declared = '') => `
declare
  settle_count int := cardinality(settle_ids);
  checkpoint_count int := cardinality(checkpoint_ids);
  hold_count int := cardinality(hold_ids);
  ${declared}
  open_hold_users bigint[]; open_hold_tokens bigint[];
  -- Points held by each settled hold; null where the hold is gone.
  settle_held bigint[];
  -- 1 or 2 where the hold of a settle had no bound.
  settle_unbounded bigint[];
  -- Points that each settle has cost in total, and points that could not be taken.
  settle_charged bigint[]; settle_shortfalls bigint[];
  settle_late boolean[]; settle_logged boolean[];
  posting_ids bigint[]; posting_amounts bigint[]; posting_kinds text[];
  charged_before bigint; available bigint; taken bigint;
  posted_amount bigint; posted_late bigint; posted_shortfall bigint;
  hold_row holds%rowtype;
  -- Points added to each hold; -1 where the hold is gone.
  checkpoint_granted bigint[];
  known_ids bigint[];
  -- Null: reserve it. Empty: it was reserved before. Otherwise the reason of the refusal.
  hold_refusals text[]; hold_fits boolean[];
  -- Points of the open holds that stand in the way of a refused one.
  hold_held bigint[]; found_held bigint;
  -- Users with a hold in this batch that must be alone.
  alone_users bigint[];
  duplicate_requests bigint[]; duplicate_bodies text[];
  key_owner bigint; found_text text;
begin
  ${lock}
  if settle_count > 0 then ${settle} end if;
  if cardinality(void_ids) > 0 then ${voids} end if;
  if json_array_length(attempt_rows) > 0 then ${attempts} end if;
  ${recover}
  if checkpoint_count > 0 then ${checkpoint} end if;
  if hold_count > 0 then ${hold} end if;
  return json_build_object('total', settle_charged, 'short', settle_shortfalls,
    'late', settle_late, 'unbounded', settle_unbounded, 'granted', checkpoint_granted,
    'why', hold_refusals, 'held', hold_held, 'other', duplicate_requests, 'body', duplicate_bodies);
end`

type Parameters = readonly { name: string; type: string }[]

/** The names of the parameters of an existing function cannot be replaced, so it is dropped first. */
const functionOf = (name: string, parameters: Parameters, body: string): string[] => [
  `drop function if exists ${name}(${parameters.map(({ type }) => type).join(', ')})`,
  `create function ${name}(${parameters.map(each => `${each.name} ${each.type}`).join(', ')})
    returns json language plpgsql as $ledger$
    #variable_conflict use_column
    ${body} $ledger$`,
]

/**
 * Nodes of the release before call the second version, and may work on the same database. It must stay until no release
 * that can run on this schema calls it.
 */
export const ledgerBatch: string[] = [
  'drop function if exists ledger_batch_v1',
  ...functionOf('ledger_batch_v2', previousLedgerBatchParameters, bodyOf(withoutCosts)),
  ...functionOf('ledger_batch_v3', ledgerBatchParameters, bodyOf()),
]
