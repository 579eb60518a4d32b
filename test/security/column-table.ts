import {
  channelTables,
  computed,
  limits,
  longLists,
  sessionColumns,
  type TableColumns,
} from './column-names.ts'

/** Every column of the database, written by hand: a column that is not listed fails a test. */
export const columnTable: Readonly<Record<string, TableColumns>> = {
  users: {
    columns: {
      user: `id username display_name role status email avatar_url group aff_code inviter_id aff_count aff_quota
        created_time last_login_time last_login_ip must_change_password`,
      none: `username_key password_hash access_token_hash deleted_at callback_secret_version promoted_to
        promoted_from`,
    },
    reads: [
      ['user', '/api/user/self', `${computed.users} money_rights`],
      ['administrator', '/api/user/', computed.users],
    ],
  },
  identities: {
    columns: { user: 'sign_in label', none: 'user_id subject' },
    sentAs: { sign_in: 'type' },
    reads: [['user', '/api/oauth/identities', 'name bound enabled']],
  },
  sessions: {
    columns: sessionColumns,
    reads: [['user', '/api/user/sessions', 'id current']],
  },
  one_time_codes: { columns: { none: longLists.one_time_codes } },
  second_factors: {
    columns: { user: 'enabled_at', none: 'user_id secret_sealed last_step' },
    reads: [['user', '/api/user/2fa/status', 'enabled backup_codes_left']],
  },
  backup_codes: { columns: { none: 'user_id code_hash' } },
  passkeys: {
    columns: {
      user: 'id name backed_up created_time last_used_time',
      none: 'user_id credential_id public_key counter transports',
    },
    reads: [['user', '/api/user/passkey/', '']],
  },
  oauth_providers: {
    columns: {
      root: `id slug name kind enabled client_id issuer authorization_endpoint token_endpoint userinfo_endpoint scopes
        subject_field username_field name_field email_field email_verified_field created_time`,
      none: 'client_secret_sealed',
    },
    reads: [['root', '/api/custom-oauth-provider/', 'has_client_secret']],
  },
  user_groups: {
    columns: {
      administrator: `id symbol name ratio api_rate public enable promotion min max ${limits}`,
    },
    reads: [['administrator', '/api/user_group/', '']],
  },
  tokens: {
    columns: {
      user: `id user_id name group backup_group chat_cache setting api_rate created_time ${limits}`,
      // Administrators read the billing tag in `setting`.
      none: 'billing_tag key_hash key_masked key_sealed deleted_at version',
    },
    reads: [
      ['user', '/api/token/', computed.tokens],
      ['administrator', '/api/token/admin/search', `${computed.tokens} owner_name`],
    ],
  },
  channels: {
    columns: {
      administrator: `id type key_count key_rotation status status_reason name weight priority base_url other models group
        tag model_mapping test_model only_chat pre_cost compatible_response allow_extra_body disabled_stream context_sizes plugin
        created_time test_time test_error test_kind response_time balance balance_currency balance_updated_time`,
      none: 'key_sealed key_hash model_headers custom_parameter proxy deleted_at version',
    },
    reads: [['administrator', '/api/channel/', 'disabled_key_count used_quota is_set']],
  },
  channel_keys: {
    columns: { administrator: 'status reason changed_at', none: 'channel_id key_hash' },
    reads: [['administrator', '/api/channel/1/keys', 'index fingerprint']],
  },
  ...channelTables,
  virtual_models: {
    columns: { administrator: 'id name enable groups candidates version updated_at' },
    reads: [['administrator', '/api/virtual_model/', '']],
  },
  virtual_model_versions: {
    columns: {
      administrator: 'version enable groups candidates created_at actor_name restored_version',
      none: 'model_id name',
    },
    reads: [['administrator', '/api/virtual_model/1/versions', '']],
  },
  prices: {
    columns: {
      visitor: 'model type channel_type input output locked extra_ratios tiers tool_prices',
    },
    reads: [['visitor', '/api/prices/', '']],
  },
  price_schedule: {
    columns: { administrator: 'model at price', none: 'created_at' },
    reads: [['administrator', '/api/prices/schedule', '']],
  },
  price_undo: {
    columns: { administrator: 'at actor_name what', none: 'id before after' },
    reads: [['administrator', '/api/prices/undo', 'count']],
  },
  price_versions: { columns: { none: 'id hash body created_at' } },
  telegram_menus: {
    columns: { root: 'id command description parse_mode reply_message' },
    reads: [['root', '/api/option/telegram/', '']],
  },
  telegram_bot: {
    columns: { root: 'epoch username last_error last_error_at', none: 'id mode token_hash' },
    sentAs: { epoch: 'node', last_error_at: 'last_error_time' },
    reads: [['root', '/api/option/telegram/status', 'status is_webhook state']],
  },
  owners: {
    columns: { visitor: 'id name icon' },
    reads: [['visitor', '/api/model_ownedby/', '']],
  },
  model_info: {
    columns: {
      visitor: `id model name description context_length max_tokens input_modalities output_modalities tags support_url
        created_at updated_at`,
    },
    reads: [['visitor', '/api/model_info/', '']],
  },
  options: { columns: { root: 'key value' }, reads: [['root', '/api/option/', '']] },
  topics: { columns: { none: 'topic n' } },
  logs: {
    columns: {
      user: `id user_id created_at type content username token_name model_name quota prompt_tokens completion_tokens
        channel_id request_time is_stream source_ip metadata`,
      none: 'cost cost_version cost_kind',
    },
    reads: [
      ['user', '/api/log/self', 'channel'],
      ['administrator', '/api/log/', 'channel'],
    ],
  },
  audit: {
    columns: {
      administrator:
        'id at actor_id actor_name action target input outcome source_ip request_id changes',
      none: 'hash actor_role',
    },
    reads: [['administrator', '/api/audit/', 'changes_omitted']],
  },
  usage_sums: { columns: { none: longLists.usage_sums } },
  cache_sums: { columns: { none: longLists.cache_sums } },
  cost_sums: { columns: { none: longLists.cost_sums } },
  invitations: {
    columns: { administrator: longLists.invitations, none: 'moves funded_at' },
    reads: [['administrator', '/api/invitation/', 'username inviter_username']],
  },
  invitation_counts: { columns: { none: 'scope day used' } },
  redemptions: {
    columns: {
      administrator:
        'id user_id status name quota created_time redeemed_time used_user_id expires_at',
      none: 'key_hash key_sealed deleted_at',
    },
    sentAs: { expires_at: 'expired_time' },
    reads: [['administrator', '/api/redemption/', 'key used_username']],
  },
  queued: {
    columns: {
      none: 'id job key payload_sealed state attempts run_at created_at ended_at failure',
    },
  },
  reminders: {
    columns: { user: 'threshold', none: 'user_id notified_level crossing' },
    reads: [['user', '/api/user/notification/reminder', 'site_threshold']],
  },
  notification_targets: {
    columns: {
      user: 'id name type events language digest quiet_from quiet_to enabled created_at',
      none: 'user_id config_sealed next_at_ms',
    },
    reads: [
      ['user', '/api/user/notification/', 'config secrets_set'],
      ['administrator', '/api/notification/', 'config secrets_set'],
    ],
  },
  notifications: {
    columns: {
      user: 'id event target_id count state attempts run_at created_at ended_at failure',
      none: 'event_key window_at facts batch due_at',
    },
    sentAs: { run_at: 'next_attempt_at' },
    reads: [
      ['user', '/api/user/notification/delivery', 'target_name title'],
      ['administrator', '/api/notification/delivery', 'target_name title'],
    ],
  },
  nodes: { columns: { none: 'epoch heartbeat state' } },
  accounts: { columns: { none: 'user_id balance held used requests frozen frozen_by_debt' } },
  token_spend: {
    columns: { none: 'token_id user_id status expires_at cap used held last_used_at' },
  },
  holds: {
    columns: {
      none: 'id user_id token_id epoch amount accrued price_id usage opened_at unbounded',
    },
  },
  transfers: {
    columns: { none: 'id at kind source debit credit amount token_id channel_id price_id usage' },
  },
  channel_used: { columns: { none: 'channel_id epoch used n' } },
  limit_marks: { columns: { none: 'owner window used' } },
  imported_counters: { columns: { none: 'owner used requests' } },
  shortfalls: { columns: { none: 'id user_id amount at kind' } },
  idempotency: { columns: { none: 'key_hash body_hash request_id at' } },
  stored_answers: {
    columns: {
      none: 'id user_id channel_id credential request_id created_at size previous content_sealed is_running',
    },
  },
  background_calls: {
    columns: {
      none: `request_id answer_id user_id token_id channel_id credential price_id receipt_draft attempts run_at
        created_at read_tokens`,
    },
  },
  stored_resources: {
    columns: {
      none: `id kind user_id channel_id credential request_id created_at expires_at purpose size object_sealed run_at
        attempts`,
    },
  },
  invoice_months: { columns: { none: 'month begins_at ends_at time_zone created_at' } },
  invoices: {
    columns: {
      user: `id user_id month status amount_micros requests quota prompt_tokens completion_tokens request_time
        created_at paid_at`,
      none: 'revision',
    },
    sentAs: {
      month: 'date',
      amount_micros: 'amount',
      requests: 'request_count',
      created_at: 'created_time',
      paid_at: 'paid_time',
    },
    reads: [
      ['user', '/api/user/invoice', 'username name'],
      ['administrator', '/api/invoice', 'username name'],
    ],
  },
  invoice_documents: { columns: { none: 'invoice_id revision created_at body sha256' } },
  payment_gateways: {
    columns: {
      user: 'uuid name icon fixed_fee percent_fee currency sort',
      administrator: 'id type notify_domain enable created_at',
      none: 'config_sealed deleted_at',
    },
    reads: [
      ['user', '/api/user/payment', ''],
      ['administrator', '/api/payment/', 'config secrets_set vendor_setup notify_url'],
    ],
  },
  orders: {
    columns: {
      user: `id user_id gateway_id trade_no gateway_no amount pay_amount currency points fee discount status
        refunded_total created_at paid_at credited_at closed_at`,
      administrator: 'review_reason next_query_at queries',
      none: `reference discount_factor exchange_rate taken_back take_backs source_ip expires_at`,
    },
    sentAs: {
      pay_amount: 'order_amount',
      currency: 'order_currency',
      points: 'quota',
      refunded_total: 'refunded_amount',
    },
    reads: [
      ['user', '/api/user/order', computed.orders],
      ['administrator', '/api/payment/order', `${computed.orders} username debt`],
    ],
  },
  order_events: { columns: { none: 'id order_id gateway_id at kind source outcome detail' } },
  order_reversals: {
    columns: { none: 'id order_id kind number amount state created_at next_query_at' },
  },
  debts: { columns: { none: 'order_id user_id points created_at' } },
  backup_runs: {
    columns: {
      root: 'id started_at ended_at state node actor file bytes rows error',
      none: 'due_minute epoch',
    },
    reads: [['root', '/api/system_info/backups', '']],
  },
  node_reports: {
    columns: {
      root: `epoch host version runtime started_at reported_at live_calls load_percent
        lag_ms memory_mib`,
    },
    reads: [['root', '/api/system_info/nodes', 'state is_answering']],
  },
  job_runs: {
    columns: {
      administrator: 'name succeeded_at',
      root: 'due_at epoch started_at duration_ms error',
      none: 'ended_at',
    },
    reads: [['root', '/api/system_info/jobs', 'state']],
  },
  prompt_ratios: { columns: { none: 'model user_id permille counted_at' } },
  // Administrators read it among other problems of /api/operations/attention.
  service_failures: {
    columns: { administrator: 'service subject since failures code detail', none: 'last_at' },
    sentAs: { service: 'kind', subject: 'id' },
  },
  reasoning_samples: { columns: { none: 'model level user_id slot tokens tokens_per_second at' } },
  stored_images: { columns: { none: 'name user_id type size location expires_at' } },
  task_copies: { columns: { none: 'task_id position type size expires_at location' } },
  task_polls: { columns: { none: 'channel_id next_at' } },
  tasks: { columns: { none: longLists.tasks } },
}
