import type { ColumnRule, TableRules } from './checked-rows.ts'

/** Two of these are a balance that can still be counted exactly. */
const pointsMax = 4_000_000_000_000_000
/** The last second of the year 9999. */
const lastSecond = 253_402_300_799

const text: ColumnRule = { kind: 'text' }
const number: ColumnRule = { kind: 'integer', instead: 0 }
const count: ColumnRule = { kind: 'integer', min: 0, max: pointsMax, instead: 0 }
const time: ColumnRule = { kind: 'integer', min: 0, max: lastSecond, instead: 0 }
const points: ColumnRule = {
  ...{ kind: 'integer', isNeeded: true, instead: 0 },
  ...{ min: -pointsMax, max: pointsMax },
}
/** A row with another state than these is disabled. */
const status = (...oneOf: number[]): ColumnRule => ({
  ...{ kind: 'integer', isNeeded: true, oneOf, instead: 2 },
  effect: 'it is disabled here',
})
const disabled = { status: 2 }
const settings: ColumnRule = {
  ...{ kind: 'object', otherwise: disabled },
  effect: 'it is disabled here, because its limits cannot be read',
}
const flag: ColumnRule = { kind: 'flag', instead: 'false' }

const texts = (...names: string[]) => Object.fromEntries(names.map(name => [name, text]))
const flags = (...names: string[]) => Object.fromEntries(names.map(name => [name, flag]))

/** Columns of every gateway of this family. A column that a release does not have is not looked at. */
export const userRules: TableRules = {
  ...{ table: 'users', id: 'id', name: 'username' },
  columns: {
    username: { ...text, isNeeded: true, effect: 'it gets a name by its id' },
    password: {
      ...{ kind: 'text', isNeeded: true, instead: '' },
      pattern: /^\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}$/,
      effect: 'no password works until a new one is set',
    },
    role: { kind: 'integer', isNeeded: true, oneOf: [0, 1, 3, 10, 100], instead: 1 },
    status: status(1, 2, 3),
    group: { ...text, isNeeded: true, effect: 'it is in no group, and its calls are refused' },
    ...{ quota: points, aff_quota: { ...points, isNeeded: undefined } as ColumnRule },
    ...{ used_quota: count, request_count: count },
    ...{ created_time: time, last_login_time: time },
    ...texts('display_name', 'email', 'avatar_url', 'aff_code', 'access_token', 'last_login_ip'),
    ...texts('github_id_new', 'wechat_id', 'telegram_id', 'lark_id'),
  },
}

export const tokenRules: TableRules = {
  ...{ table: 'tokens', id: 'id', name: 'name' },
  columns: {
    key: { ...text, pattern: /^[^\uFFFD]+$/, otherwise: 'skip', isNeeded: true },
    status: status(1, 2, 3, 4),
    expired_time: {
      ...{ kind: 'integer', isNeeded: true, instead: 0 },
      effect: 'it has expired here',
    },
    remain_quota: { ...points, effect: 'nothing is left of its cap here' },
    unlimited_quota: flag,
    used_quota: count,
    ...{ created_time: time, accessed_time: time },
    ...texts('name', 'group', 'backup_group', 'models', 'subnet', 'model_limits', 'allow_ips'),
    model_limits_enabled: { ...settings, kind: 'flag' },
    setting: settings,
  },
}

export const redemptionRules: TableRules = {
  ...{ table: 'redemptions', id: 'id', name: 'name' },
  columns: {
    key: { ...text, pattern: /^[^\uFFFD]+$/, otherwise: 'skip' },
    status: status(1, 2, 3),
    quota: { ...points, min: 0, otherwise: 'skip' },
    name: text,
    created_time: time,
    expired_time: {
      kind: 'integer',
      instead: 0,
      otherwise: disabled,
      effect: 'it is disabled here',
    },
  },
}

const unreadable = { kind: 'object', otherwise: disabled, effect: 'it is disabled here' } as const

export const channelRules: TableRules = {
  ...{ table: 'channels', id: 'id', name: 'name' },
  columns: {
    type: { kind: 'integer', isNeeded: true, instead: 0 },
    status: status(1, 2, 3),
    weight: { kind: 'integer', min: 0, max: 1_000_000, instead: 1 },
    priority: { kind: 'integer', min: 0, max: 1_000_000, instead: 0 },
    pre_cost: { kind: 'integer', oneOf: [0, 1, 2, 3], instead: 1 },
    used_quota: count,
    created_time: time,
    ...texts('key', 'name', 'base_url', 'other', 'models', 'group', 'tag', 'model_mapping'),
    ...texts('model_headers', 'custom_parameter', 'proxy', 'test_model', 'system_prompt'),
    ...flags('only_chat', 'compatible_response', 'allow_extra_body'),
    disabled_stream: { ...unreadable, kind: 'list' },
    ...{ plugin: unreadable, setting: unreadable, settings: unreadable },
    ...{ param_override: unreadable, header_override: unreadable, channel_info: unreadable },
  },
}

export const groupRules: TableRules = {
  ...{ table: 'user_groups', id: 'id', name: 'symbol' },
  columns: {
    ...texts('symbol', 'name'),
    api_rate: { kind: 'integer', isNeeded: true, min: 1, max: 1_000_000, instead: 600 },
    ...{ public: { ...flag, isNeeded: true }, enable: { ...flag, isNeeded: true } },
    promotion: flag,
    min: { kind: 'integer', min: 0, max: 1_000_000_000, instead: 0, otherwise: { promotion: 0 } },
    max: { kind: 'integer', min: 0, max: 1_000_000_000, instead: 0, otherwise: { promotion: 0 } },
  },
}

/** The contract checks the numbers of a price. */
export const priceRules: TableRules = {
  ...{ table: 'prices', id: 'model' },
  columns: {
    model: text,
    type: { kind: 'text', oneOf: ['tokens', 'times'], otherwise: 'skip' },
    channel_type: { kind: 'integer', min: 0, instead: 0 },
    locked: flag,
    extra_ratios: { kind: 'object', otherwise: 'skip' },
  },
}

export const ownerRules: TableRules = {
  ...{ table: 'model_owned_by', id: 'id', name: 'name' },
  columns: { id: { kind: 'integer', otherwise: 'skip' }, ...texts('name', 'icon') },
}

export const modelInfoRules: TableRules = {
  ...{ table: 'model_info', id: 'id', name: 'model' },
  columns: {
    ...texts('model', 'name', 'description', 'tags', 'support_url'),
    ...texts('input_modalities', 'output_modalities'),
    // The contract checks these two.
    ...{ context_length: number, max_tokens: number },
    ...{ created_at: time, updated_at: time },
  },
}

const off = { enable: 0 }

/** The contract checks the fees and the configuration. */
export const paymentRules: TableRules = {
  ...{ table: 'payments', id: 'id', name: 'name' },
  columns: {
    ...texts('type', 'uuid', 'name', 'icon', 'notify_domain', 'currency'),
    config: { kind: 'object', isNeeded: true, otherwise: off, effect: 'it is disabled here' },
    sort: { kind: 'integer', min: 0, max: 1_000_000, instead: 1 },
    enable: { ...flag, isNeeded: true },
    created_at: time,
  },
}

export const menuRules: TableRules = {
  ...{ table: 'telegram_menus', id: 'id', name: 'command' },
  columns: texts('command', 'description', 'parse_mode', 'reply_message'),
}

export const optionRules: TableRules = {
  ...{ table: 'options', id: 'key' },
  columns: { key: text, value: text },
}

const logCount: ColumnRule = { ...count, otherwise: 'skip' }
/** The last second that a date can have. Milliseconds in place of seconds are carried, too. */
const lastLogSecond = 8_640_000_000_000
const logTime: ColumnRule = { kind: 'integer', min: 0, max: lastLogSecond, otherwise: 'skip' }

/** A row of the past with a number that cannot be is left out. */
export const historyRules = (table: string): TableRules => ({
  ...{ table, id: 'id' },
  columns: {
    ...{ created_at: logTime, create_time: logTime },
    type: { kind: 'integer', otherwise: 'skip' },
    quota: { ...points, isNeeded: undefined, otherwise: 'skip' } as ColumnRule,
    ...{ prompt_tokens: logCount, completion_tokens: logCount, amount: logCount },
    ...{ request_time: logCount, use_time: logCount, elapsed_time: logCount },
  },
})
