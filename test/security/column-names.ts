import type { lowestRoles } from './access-table.ts'

type Role = keyof typeof lowestRoles
type Names = string
/** A list or a row, and the names that it has next to columns. */
type Read = readonly [lowestRole: Role, path: string, computed: Names]

export type TableColumns = {
  /** Column names by the lowest role that sees them in a row of its own, or of the site. */
  columns: Partial<Record<Role | 'none', Names>>
  /** The names of columns in answers, where they differ. */
  sentAs?: Readonly<Record<string, string>>
  reads?: readonly Read[]
}

export const words = (names: Names): string[] => names.split(/\s+/).filter(Boolean)

/** Columns that two tables have. */
export const limits =
  'requests_per_day tokens_per_minute concurrent_requests quota_per_day quota_per_month'

/** Names in answers that are not columns of the table. */
export const computed = {
  users: `quota used_quota request_count aff_history_quota github_id oidc_id wechat_id lark_id
    telegram_id has_access_token has_password has_second_factor has_passkey`,
  tokens:
    'key revealable status accessed_time expired_time remain_quota unlimited_quota used_quota',
  orders: 'gateway_name gateway_icon',
}

export const sessionColumns = {
  user: 'created_at last_seen_at expires_at ip user_agent',
  none: 'id_hash user_id proved_at',
}

const invitations = `user_id inviter_id address created_at state reason gift gift_given reward reward_given
  decided_at decided_by`

const tasks = `id public_id platform user_id token_id channel_id credential upstream_id action model state settlement
  progress fail_reason orphan quota price_id receipt_draft content_sealed created_at started_at finished_at deadline
  run_at attempts deleted_at callback_sealed callback_state callback_run_at callback_attempts callback_failure
  copy_run_at copy_attempts`

const one_time_codes = 'id_hash purpose code_hash payload_sealed attempts expires_at'
const cache_sums = `channel_id at model requests prompt_tokens read_tokens written_tokens expecting missing
  missed_tokens missed_points`
const usage_sums = `kind span at key requests failed charged_failures quota prompt_tokens completion_tokens
  request_time`
const cost_sums = `span at channel_id model user_id group_name token_name currency calls charged cost estimated
  attempts attempt_cost`

export const longLists = { cache_sums, cost_sums, invitations, one_time_codes, tasks, usage_sums }

/** The columns of what was tried, read and changed of channels. The last four are parts of answers about one channel. */
export const channelTables: Readonly<Record<string, TableColumns>> = {
  channel_checks: {
    columns: { administrator: 'at results', none: 'channel_id' },
    reads: [['administrator', '/api/channel/1/check', '']],
  },
  channel_model_tests: {
    columns: { administrator: 'model at ms error kind', none: 'channel_id' },
    reads: [['administrator', '/api/channel/1/model_tests', '']],
  },
  channel_changes: {
    columns: {
      administrator: `id at fingerprint status cause actor code http_status model reason request_id`,
      none: 'channel_id',
    },
    reads: [['administrator', '/api/channel/1/changes', '']],
  },
  channel_balances: {
    columns: { administrator: 'at amount currency kind', none: 'channel_id' },
  },
  channel_balance_states: {
    columns: {
      administrator: 'checked_at kind warning',
      none: 'channel_id lasts_until notified',
    },
  },
  channel_watches: {
    columns: {
      administrator: 'checked_at read_at',
      none: 'channel_id offered equal_reads notified',
    },
  },
  upstream_groups: {
    columns: { administrator: 'checked_at read_at groups', none: 'channel_id prices' },
  },
  cost_lists: {
    columns: { administrator: 'valid_from body created_by', none: 'id channel_id' },
  },
  cost_versions: { columns: { none: 'id currency body created_at' } },
  attempt_costs: {
    columns: {
      none: `call_id attempt at user_id token_id group_name channel_id model_name cost cost_version cost_kind usage`,
    },
  },
  exchange_rates: {
    columns: { administrator: 'currency valid_from rate created_by' },
  },
  upstream_ratios: {
    columns: { administrator: 'group ratio valid_from', none: 'channel_id is_confirmed' },
  },
}
