import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { SchemaKit, Table } from '../engines/schema-kit.ts'
import type { Tables } from '../tables/index.ts'

const users: Table[] = [
  {
    name: 'users',
    columns: {
      id: 'id',
      username: 'text',
      password_hash: 'text',
      display_name: 'text',
      role: 'integer',
      status: 'integer',
      email: 'text',
      avatar_url: 'text',
      group: 'text',
      aff_code: 'text',
      inviter_id: 'integer',
      created_time: 'integer',
      last_login_time: 'integer',
      last_login_ip: 'text',
      access_token_hash: 'text?',
      must_change_password: 'integer',
      deleted_at: 'integer?',
    },
    unique: [['username'], ['aff_code'], ['access_token_hash']],
    checks: ['role in (1, 10, 100)', 'status in (1, 2)', 'email = lower(email)'],
  },
  {
    name: 'identities',
    columns: { user_id: 'integer', sign_in: 'text', subject: 'text' },
    primaryKey: ['sign_in', 'subject'],
  },
  {
    name: 'sessions',
    columns: {
      id_hash: 'text key',
      user_id: 'integer',
      created_at: 'integer',
      last_seen_at: 'integer',
      expires_at: 'integer',
      ip: 'text',
      user_agent: 'text',
    },
  },
  {
    name: 'user_groups',
    columns: {
      id: 'id',
      symbol: 'text',
      name: 'text',
      ratio: 'text',
      api_rate: 'integer',
      public: 'integer',
      enable: 'integer',
    },
    unique: [['symbol']],
    checks: ['public in (0, 1)', 'enable in (0, 1)'],
  },
  {
    name: 'tokens',
    columns: {
      id: 'id',
      user_id: 'integer',
      name: 'text',
      key_hash: 'text',
      key_masked: 'text',
      key_sealed: 'text',
      group: 'text',
      setting: 'text',
      created_time: 'integer',
      deleted_at: 'integer?',
    },
    unique: [['key_hash']],
  },
]

const catalog: Table[] = [
  {
    name: 'channels',
    columns: {
      id: 'id',
      type: 'integer',
      key_sealed: 'text',
      key_hash: 'text',
      key_count: 'integer',
      status: 'integer',
      status_reason: 'text',
      name: 'text',
      weight: 'integer',
      priority: 'integer',
      base_url: 'text',
      other: 'text',
      models: 'text',
      group: 'text',
      tag: 'text',
      model_mapping: 'text',
      model_headers: 'text',
      custom_parameter: 'text',
      proxy: 'text',
      test_model: 'text',
      only_chat: 'integer',
      pre_cost: 'integer',
      compatible_response: 'integer',
      allow_extra_body: 'integer',
      disabled_stream: 'text',
      plugin: 'text',
      created_time: 'integer',
      test_time: 'integer',
      response_time: 'integer',
      balance: 'real',
      balance_updated_time: 'integer',
      deleted_at: 'integer?',
    },
    checks: ['status in (1, 2, 3)'],
  },
  {
    name: 'prices',
    columns: {
      model: 'text key',
      type: 'text',
      channel_type: 'integer',
      input: 'text',
      output: 'text',
      locked: 'integer',
      extra_ratios: 'text?',
    },
    checks: ["type in ('tokens', 'times')"],
  },
  {
    name: 'price_versions',
    columns: { id: 'id', hash: 'text', body: 'text' },
    unique: [['hash']],
  },
  { name: 'owners', columns: { id: 'key', name: 'text', icon: 'text' } },
  { name: 'options', columns: { key: 'text key', value: 'text' } },
  { name: 'topics', columns: { topic: 'text key', n: 'integer' } },
  {
    name: 'logs',
    columns: {
      id: 'key',
      user_id: 'integer',
      created_at: 'integer',
      type: 'integer',
      content: 'text',
      username: 'text',
      token_name: 'text',
      model_name: 'text',
      quota: 'integer',
      prompt_tokens: 'integer',
      completion_tokens: 'integer',
      channel_id: 'integer',
      request_time: 'integer',
      is_stream: 'integer',
      source_ip: 'text',
      metadata: 'text',
    },
    monthly: 'created_at',
  },
  {
    name: 'audit',
    columns: {
      id: 'id',
      at: 'integer',
      actor_id: 'integer',
      actor_name: 'text',
      action: 'text',
      target: 'text',
      input: 'text',
      outcome: 'text',
      source_ip: 'text',
      request_id: 'text',
      hash: 'text',
    },
    appendOnly: true,
  },
]

const ledger: Table[] = [
  {
    name: 'nodes',
    columns: { epoch: 'id', beat: 'integer', state: 'text' },
    checks: ["state in ('live', 'dead')"],
    hot: true,
  },
  {
    name: 'accounts',
    columns: {
      user_id: 'key',
      balance: 'integer',
      held: 'integer',
      used: 'integer',
      requests: 'integer',
      frozen: 'integer',
    },
    checks: ['held >= 0', 'balance >= held', 'frozen in (0, 1)'],
    hot: true,
  },
  {
    name: 'token_spend',
    columns: {
      token_id: 'key',
      user_id: 'integer',
      status: 'integer',
      expires_at: 'integer',
      cap: 'integer?',
      used: 'integer',
      held: 'integer',
      last_used_at: 'integer',
    },
    checks: ['held >= 0', 'status in (1, 2)'],
    hot: true,
  },
  {
    name: 'holds',
    columns: {
      id: 'key',
      user_id: 'integer',
      token_id: 'integer',
      epoch: 'integer',
      amount: 'integer',
      accrued: 'integer',
      price_id: 'integer',
      usage: 'text',
      opened_at: 'integer',
    },
    checks: ['amount >= 0', 'accrued >= 0'],
    hot: true,
  },
  {
    name: 'transfers',
    columns: {
      id: 'key',
      at: 'integer',
      kind: 'text',
      source: 'text',
      debit: 'integer',
      credit: 'integer',
      amount: 'integer',
      token_id: 'integer',
      channel_id: 'integer',
      price_id: 'integer',
      usage: 'text',
    },
    checks: ['debit <> credit', "amount >= 0 or kind = 'late'"],
    appendOnly: true,
  },
  {
    name: 'channel_used',
    columns: { channel_id: 'integer', epoch: 'integer', used: 'integer', n: 'integer' },
    primaryKey: ['channel_id', 'epoch'],
    hot: true,
  },
  {
    name: 'shortfalls',
    columns: { id: 'key', user_id: 'integer', amount: 'integer', at: 'integer' },
    checks: ['amount > 0'],
  },
  {
    name: 'idempotency',
    columns: { key_hash: 'text key', body_hash: 'text', request_id: 'integer', at: 'integer' },
  },
]

const indexes = [
  `create unique index "users_email" on "users" ("email") where "email" <> ''`,
  `create index "users_inviter" on "users" ("inviter_id")`,
  `create index "identities_user" on "identities" ("user_id")`,
  `create index "sessions_user" on "sessions" ("user_id")`,
  `create index "sessions_expiry" on "sessions" ("expires_at")`,
  `create index "tokens_user" on "tokens" ("user_id")`,
  `create index "channels_key" on "channels" ("key_hash")`,
  `create index "logs_user" on "logs" ("user_id", "id")`,
  `create unique index "transfers_source" on "transfers" ("kind", "source") where "kind" <> 'request'`,
  `create index "idempotency_request" on "idempotency" ("request_id")`,
]

const groups = [
  { symbol: 'default', name: 'Default', public: 1 },
  { symbol: 'vip', name: 'VIP', public: 0 },
  { symbol: 'svip', name: 'SVIP', public: 0 },
]

export const first = (schema: SchemaKit): Migration => ({
  up: async (db: Kysely<Tables>) => {
    for (const table of [...users, ...catalog, ...ledger]) {
      for (const statement of schema.createTable(table)) await statement.execute(db)
    }
    for (const index of indexes) await sql.raw(index).execute(db)
    for (const each of schema.ledgerFunctions()) await each.execute(db)
    const rows = groups.map(each => ({ ...each, ratio: '1', api_rate: 600, enable: 1 }))
    await db.insertInto('user_groups').values(rows).execute()
  },
})
