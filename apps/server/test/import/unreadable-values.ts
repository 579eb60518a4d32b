import type { Json } from '../relay-hub.ts'

/** Values that a column of a program may hold after an accident, an older release or a change by hand. */
export const values: Readonly<Record<string, unknown>> = {
  ...{ null: null, empty: '', text: 'many', infinity: 'Infinity', 'not a number': 'NaN' },
  ...{ negative: -7, 'beyond 2^53': 9_007_199_254_740_993n, 'beyond 2^63': 1e19, fraction: 1.5 },
  ...{ unknown: 77, 'broken JSON': '{"a":', 'JSON list': '[1]', date: '2026-01-01 00:00:00' },
  ...{ NUL: 'a\0b', long: 'x'.repeat(5_000) },
}

/** Cannot be a number that is counted exactly. */
const noNumbers = [
  ...['text', 'infinity', 'not a number', 'beyond 2^53', 'beyond 2^63', 'broken JSON'],
  ...['JSON list', 'date', 'NUL', 'long'],
]
const noJson = ['text', 'infinity', 'not a number', 'broken JSON', 'date', 'NUL', 'long']
const noFlags = [...noNumbers, 'negative', 'fraction', 'unknown']
const noStates = [...noFlags, 'null', 'empty']

type Table = {
  table: string
  /** The column that identifies a row in the report and here. */
  id: string
  /** A row that works, which is copied. */
  template: string
  /** Columns that get a value of their own in each copy. */
  own(id: number): Json
  numbers: string[]
  flags: string[]
  json: string[]
  states: string[]
  texts: string[]
}

const key = (id: number) => String(id).padStart(48, 'k')

export const tables: Readonly<Record<string, Table>> = {
  users: {
    ...{ table: 'users', id: 'id', template: 'role = 1 and status = 1' },
    own: id => ({
      id,
      username: `copy-${id}`,
      aff_code: `c${id}`,
      access_token: key(id).slice(16),
    }),
    numbers: ['quota', 'used_quota', 'request_count', 'created_time', 'last_login_time'],
    ...{ flags: [], json: [], states: ['status', 'role'] },
    texts: ['username', 'display_name', 'email', 'group', 'avatar_url', 'last_login_ip'],
  },
  tokens: {
    ...{ table: 'tokens', id: 'id', template: 'status = 1' },
    own: id => ({
      ...{ id, user_id: 1, key: key(id), name: `copy-${id}`, expired_time: -1, status: 1 },
      ...{ remain_quota: 1_000, unlimited_quota: 0, used_quota: 0, group: '' },
    }),
    numbers: ['expired_time', 'remain_quota', 'used_quota', 'created_time', 'accessed_time'],
    flags: ['unlimited_quota', 'model_limits_enabled'],
    ...{ json: ['setting'], states: ['status'], texts: ['name', 'group', 'backup_group'] },
  },
  channels: {
    ...{ table: 'channels', id: 'id', template: 'status = 1 and type = 1' },
    own: id => ({ id, name: `copy-${id}` }),
    numbers: ['type', 'weight', 'priority', 'used_quota', 'created_time'],
    flags: ['only_chat', 'compatible_response', 'allow_extra_body'],
    json: ['plugin', 'setting', 'settings', 'param_override', 'header_override', 'channel_info'],
    states: ['status'],
    texts: ['name', 'key', 'models', 'group', 'tag', 'model_mapping', 'base_url', 'other'],
  },
  redemptions: {
    ...{ table: 'redemptions', id: 'id', template: 'status = 1' },
    own: id => ({ id, name: `copy-${id}`, key: key(id).slice(16), quota: 5 }),
    ...{ numbers: ['quota', 'created_time', 'expired_time'], flags: [], json: [] },
    ...{ states: ['status'], texts: ['name', 'key'] },
  },
  user_groups: {
    ...{ table: 'user_groups', id: 'id', template: "symbol = 'trial'" },
    own: id => ({ id, symbol: `copy-${id}` }),
    ...{ numbers: ['ratio', 'api_rate', 'min', 'max'], flags: ['public', 'enable', 'promotion'] },
    ...{ json: [], states: [], texts: ['name'] },
  },
  prices: {
    ...{ table: 'prices', id: 'model', template: "type = 'tokens' and input > 0 and output > 0" },
    own: id => ({ model: `copy-${id}` }),
    ...{ numbers: ['input', 'output', 'channel_type'], flags: ['locked'], json: ['extra_ratios'] },
    ...{ states: [], texts: [] },
  },
  model_info: {
    ...{ table: 'model_info', id: 'id', template: '1 = 1' },
    own: id => ({ id, model: `copy-${id}` }),
    numbers: ['context_length', 'max_tokens', 'created_at', 'updated_at'],
    ...{ flags: [], json: ['tags'], states: [], texts: ['name', 'description'] },
  },
}

/** Returns whether the report must name a row whose column has the value. */
export const mustBeNamed = (table: Table, column: string, value: string): boolean =>
  (table.numbers.includes(column) && noNumbers.includes(value)) ||
  (table.flags.includes(column) && noFlags.includes(value)) ||
  (table.json.includes(column) && noJson.includes(value)) ||
  (table.states.includes(column) && noStates.includes(value)) ||
  (table.texts.includes(column) && value === 'NUL') ||
  (column === 'deleted_at' && value !== 'null')

/** A row like the template, with one value in one column. */
export type Copy = { table: string; id: string | number; column: string; value: string; row: Json }

const firstId = 100_000

/** Every column of the table with every value, each in a copy of its own. */
export const copiesOf = (name: string, template: Json): Copy[] => {
  const { id: idColumn, own } = tables[name]!
  const columns = Object.keys(template).filter(each => each !== idColumn)
  const cases = columns.flatMap(column => Object.keys(values).map(value => ({ column, value })))
  return cases.map(({ column, value }, at) => {
    const row = { ...template, ...own(firstId + at), [column]: values[value] }
    return { table: name, id: row[idColumn], column, value, row }
  })
}
