import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { ImportReport } from '../../src/importer/report.ts'
import type { Json } from '../relay-hub.ts'
import { copyOf, truthOf } from './databases.ts'
import { newFolder, runImport } from './target.ts'

const answer = (): Json[] => truthOf('new-api-sqlite').pricing_answer_of_the_running_program

type Change = (source: DatabaseSync) => void
type Imported = { report: ImportReport; rows: (sql: string) => Json[] }

/** Imports the database of New API after a change, with the columns of today's release. */
const importChanged = async (change: Change, data: Json[] = answer()): Promise<Imported> => {
  const file = copyOf('new-api-sqlite')
  const source = new DatabaseSync(file)
  for (const each of ['settings text', 'header_override text', 'channel_info json'])
    source.exec(`alter table channels add column ${each}`)
  change(source)
  source.close()
  const dataDir = newFolder()
  const report = await runImport({ dataDir }, file, { pricing: { success: true, data } })
  const rows = (sql: string) => {
    const target = new DatabaseSync(join(dataDir, 'hub.db'), { readOnly: true })
    const found = target.prepare(sql).all() as Json[]
    target.close()
    return found
  }
  return { report, rows }
}

const setOption = (source: DatabaseSync, key: string, value: unknown): void => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  source
    .prepare('insert into options (key, value) values (?, ?) on conflict do update set value = ?')
    .run(key, text, text)
}

const changesOf = ({ report }: Imported, table: string, id: string | number) =>
  report.changes.filter(each => each.table === table && each.id === id).map(each => each.change)

const reasonsOf = ({ report }: Imported, table: string, id: string | number) =>
  report.skipped.filter(each => each.table === table && each.id === id).map(each => each.reason)

const channel = (source: DatabaseSync, id: number, key: string, info: unknown): void => {
  source
    .prepare(
      `insert into channels (id, type, key, status, name, models, "group", channel_info)
       values (?, 1, ?, 1, ?, 'gpt-4o', 'default', ?)`,
    )
    .run(id, key, `multi ${id}`, info === null ? null : JSON.stringify(info))
}

it('keys of a multi-key channel keep their states, reasons and order of use', async () => {
  const states = { 0: 1, 2: 2, 3: 3, 4: 9, 7: 2 }
  const imported = await importChanged(source => {
    channel(source, 901, 'k0\nk1\n\nk3\nk4\n', {
      ...{ is_multi_key: true, multi_key_size: 5, multi_key_status_list: states },
      multi_key_disabled_reason: { 3: 'invalid key' },
      multi_key_disabled_time: { 3: 1_700_000_000 },
      ...{ multi_key_polling_index: 2, multi_key_mode: 'polling' },
    })
    channel(source, 902, '["a","b"]', {
      ...{ is_multi_key: true, multi_key_mode: 'random', multi_key_status_list: { 1: 3 } },
    })
    channel(source, 903, 'a\nb', { is_multi_key: true, multi_key_status_list: { 0: 3, 1: 3 } })
    channel(source, 904, 'a\nb', { is_multi_key: false })
    channel(source, 905, 'only', { is_multi_key: true, multi_key_status_list: { 0: 2 } })
    channel(source, 906, 'one', null)
  })
  const found = imported.rows(
    `select name, status, key_count, key_rotation,
       (select group_concat(state, ' ') from (select channel_keys.status || ':' || reason || ':' || (changed_at = 1700000000) as state
         from channel_keys where channel_id = channels.id order by state)) as states
     from channels where name like 'multi %' order by name`,
  )
  expect(found).toEqual(
    [
      {
        name: 'multi 901',
        status: 1,
        key_count: 4,
        key_rotation: 'round_robin',
        states: '1::0 1::0 2::0 3:invalid key:1',
      },
      { name: 'multi 902', status: 1, key_count: 2, key_rotation: 'random', states: '1::0 3::0' },
      { name: 'multi 903', status: 2, key_count: 2, key_rotation: 'random', states: '3::0 3::0' },
      { name: 'multi 904', status: 2, key_count: 2, key_rotation: 'random', states: '1::0 1::0' },
      { name: 'multi 905', status: 2, key_count: 1, key_rotation: 'random', states: null },
      { name: 'multi 906', status: 1, key_count: 1, key_rotation: 'random', states: null },
    ].map(each => ({ ...each })),
  )
  expect(changesOf(imported, 'channels', 901).join()).toMatch(
    /no key at the place 2.*state 9.*no key at the place 7/,
  )
  expect(changesOf(imported, 'channels', 903)).toContain('disabled: all of its keys are disabled')
  expect(changesOf(imported, 'channels', 904).join()).toContain('without being a multi-key channel')
})

const token = (source: DatabaseSync, id: number, group: string, userId = 3): void => {
  source
    .prepare(
      `insert into tokens (id, user_id, key, status, name, expired_time, unlimited_quota, "group")
       values (?, ?, ?, 1, ?, -1, 1, ?)`,
    )
    .run(id, userId, `key${id}`.padEnd(48, 'x'), `token ${id}`, group)
}

const placesOf = ({ rows }: Imported): Json =>
  Object.fromEntries(
    rows(
      `select tokens.name, "group", backup_group, token_spend.status from tokens
       join token_spend on token_spend.token_id = tokens.id where tokens.name like 'token %'`,
    ).map(each => [each.name, [each.group, each.backup_group, each.status]]),
  )

it('keys of groups that the source refused are not served, and “auto” becomes its first two groups', async () => {
  const imported = await importChanged(source => {
    setOption(source, 'GroupRatio', { default: 1, vip: 0, sample: 1.5, hidden: 1, odd: null })
    setOption(source, 'UserUsableGroups', {
      default: 'd',
      vip: 'v',
      sample: 't',
      gone: 'g',
      odd: 'o',
    })
    setOption(source, 'AutoGroups', ['hidden', 'sample', 'default', 'vip'])
    setOption(source, 'GroupGroupRatio', {
      default: { vip: 0.9, sample: 1 },
      svip: { sample: 'free' },
    })
    setOption(source, 'group_ratio_setting.group_special_usable_group', {
      svip: { '-:default': 'x' },
    })
    token(source, 801, 'auto')
    token(source, 802, 'gone')
    token(source, 803, 'vip')
    token(source, 804, 'sample')
    token(source, 805, 'default', 8)
    token(source, 806, 'sample', 8)
    token(source, 807, 'odd')
    token(source, 808, 'svip', 8)
    token(source, 809, '', 8)
  })
  expect(imported.rows('select symbol, ratio, enable from user_groups order by symbol')).toEqual(
    [
      { symbol: 'default', ratio: '1', enable: 1 },
      { symbol: 'hidden', ratio: '1', enable: 1 },
      { symbol: 'odd', ratio: '1', enable: 0 },
      { symbol: 'sample', ratio: '1.5', enable: 1 },
      // Nobody may choose it any more, but user 8 is in it and is served at the ratio 1.
      { symbol: 'svip', ratio: '1', enable: 1 },
      { symbol: 'vip', ratio: '0', enable: 1 },
    ].map(each => ({ ...each })),
  )
  expect(placesOf(imported)).toEqual({
    'token 801': ['sample', 'default', 1],
    'token 802': ['gone', '', 1],
    'token 803': ['vip', '', 2],
    'token 804': ['sample', '', 1],
    'token 805': ['default', '', 2],
    'token 806': ['sample', '', 2],
    'token 807': ['odd', '', 2],
    'token 808': ['svip', '', 2],
    'token 809': ['', '', 1],
  })
  expect(changesOf(imported, 'tokens', 801).join()).toContain(
    'became “sample”, and “default” as the backup; left out: vip',
  )
  expect(changesOf(imported, 'tokens', 802)).toEqual([
    'there is no group “gone”: calls are refused until it exists',
  ])
  expect(changesOf(imported, 'tokens', 803).join()).toMatch(/ratio was 0.9.*free of charge/)
  expect(changesOf(imported, 'tokens', 804).join()).toContain('its ratio was 1 by')
  expect(reasonsOf(imported, 'user_groups', 'gone')).toHaveLength(1)
})

it('options without a row have the defaults of New API', async () => {
  const imported = await importChanged(source => {
    source.exec(`delete from options where key in ('GroupRatio', 'UserUsableGroups', 'AutoGroups')`)
    token(source, 801, 'auto')
  })
  expect(imported.rows('select symbol, ratio, public from user_groups order by symbol')).toEqual(
    [
      { symbol: 'default', ratio: '1', public: 1 },
      { symbol: 'svip', ratio: '1', public: 0 },
      { symbol: 'vip', ratio: '1', public: 1 },
    ].map(each => ({ ...each })),
  )
  expect(placesOf(imported)['token 801']).toEqual(['default', '', 1])
})

const priceOf = ({ rows }: Imported, model: string): Json | undefined => {
  const [row] = rows(
    `select type, input, output, extra_ratios from prices where model = '${model}'`,
  )
  return row && { ...row, extra_ratios: JSON.parse(row.extra_ratios ?? 'null') }
}

const entry = (model_name: string, more: Json = {}): Json => ({
  ...{ model_name, quota_type: 0, model_ratio: 1, model_price: 0, completion_ratio: 4 },
  ...more,
})

it('ratios of audio, images and caches arrive from the options or the answer', async () => {
  const imported = await importChanged(
    source => {
      setOption(source, 'AudioRatio', { voiced: 20 })
      setOption(source, 'AudioCompletionRatio', { voiced: 2 })
      setOption(source, 'ImageRatio', { voiced: 5 })
      setOption(source, 'CreateCacheRatio', { voiced: 1.25 })
      setOption(source, 'CacheRatio', { voiced: 0.5 })
    },
    [
      entry('voiced'),
      entry('answered', {
        ...{ cache_ratio: 0.1, create_cache_ratio: 1.5, image_ratio: 3 },
        ...{ audio_ratio: 10, audio_completion_ratio: 2 },
      }),
      entry('formula', { billing_mode: 'tiered_expr', billing_expr: 'x' }),
    ],
  )
  const ratiosOf = (model: string) =>
    Object.fromEntries(
      Object.entries(priceOf(imported, model)!.extra_ratios).map(([name, each]) => [
        name,
        Number(each),
      ]),
    )
  expect(ratiosOf('voiced')).toEqual({
    ...{ cached_tokens: 0.5, cached_read_tokens: 0.5, cached_write_tokens: 1.25 },
    ...{ input_image_tokens: 5, input_audio_tokens: 20, output_audio_tokens: 10 },
  })
  expect(ratiosOf('answered')).toEqual({
    ...{ cached_tokens: 0.1, cached_read_tokens: 0.1, cached_write_tokens: 1.5 },
    ...{ input_image_tokens: 3, input_audio_tokens: 10, output_audio_tokens: 5 },
  })
  expect(priceOf(imported, 'formula')).toBeUndefined()
  expect(reasonsOf(imported, 'prices', 'formula').join()).toContain('formula')
})

it('an answer that is older than the options does not win, and the report names both', async () => {
  const imported = await importChanged(
    source => {
      setOption(source, 'ModelRatio', { 'gpt-4o': 3, turned: 2, late: 1 })
      setOption(source, 'ModelPrice', { 'dall-e-3': 0.08, flat: 0.5 })
      channel(source, 901, 'k', null)
      source.exec(`update channels set models = 'late,gpt-4o' where id = 901`)
    },
    [
      ...answer().filter(each => ['gpt-4o', 'dall-e-3'].includes(each.model_name)),
      entry('turned', { quota_type: 1, model_price: 0.3 }),
      entry('flat'),
    ],
  )
  expect(priceOf(imported, 'gpt-4o')).toMatchObject({ type: 'tokens', input: '3', output: '12' })
  expect(changesOf(imported, 'prices', 'gpt-4o').join()).toContain(
    '1.25 and the option `ModelRatio` 3',
  )
  expect(priceOf(imported, 'dall-e-3')).toMatchObject({ type: 'times', input: '40' })
  expect(changesOf(imported, 'prices', 'dall-e-3')).toHaveLength(1)
  expect(priceOf(imported, 'flat')).toMatchObject({ type: 'times', input: '250' })
  // The output of a model that was priced per call is known to nobody.
  expect(priceOf(imported, 'turned')).toBeUndefined()
  expect(reasonsOf(imported, 'prices', 'turned')).toHaveLength(1)
  expect(reasonsOf(imported, 'prices', 'late').join()).toContain('Save the answer again')
})

const amounts = [null, 'free', '', -1, true, [], {}]

it.each(['model_ratio', 'completion_ratio'])(
  'no %s of an answer that is not a number makes a model free',
  async field => {
    const data = amounts.map((each, at) => entry(`m${at}`, { [field]: each }))
    data.push(entry('missing', { [field]: undefined }), entry('paid'))
    const imported = await importChanged(() => {}, data)
    expect(imported.rows('select model from prices').map(each => each.model)).toEqual(['paid'])
    const left = imported.report.skipped
      .filter(each => each.table === 'prices')
      .map(each => each.id)
    for (const { model_name } of data.slice(0, -1)) expect(left).toContain(model_name)
  },
)

const jsonOptions = [
  ...['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups', 'ModelRatio'],
  ...['ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio', 'ImageRatio'],
  ...['AudioRatio', 'AudioCompletionRatio'],
]

it.each(['{"a":', '7', 'null', '"x"', '{"default":"1"}'])(
  'the report names each option that is not readable, as with the text %s',
  async text => {
    // A group may have a text as its description.
    const keys = jsonOptions.filter(key => key !== 'UserUsableGroups' || text !== '{"default":"1"}')
    const imported = await importChanged(source => {
      for (const key of keys) setOption(source, key, text)
    })
    expect(keys.filter(key => changesOf(imported, 'options', key).length === 0)).toEqual([])
  },
)

const settingsOf = async (columns: Record<string, unknown>) => {
  const imported = await importChanged(source => {
    channel(source, 950, 'one', null)
    for (const [column, value] of Object.entries(columns))
      source
        .prepare(`update channels set ${column} = ? where id = 950`)
        .run(typeof value === 'string' ? value : JSON.stringify(value))
  })
  const [row] = imported.rows(`select plugin, status from channels where name = 'multi 950'`)
  return { plugin: JSON.parse(row.plugin), status: row.status, imported }
}

it('the system prompt of a channel keeps its place to that of callers', async () => {
  const text = 'Be brief.'
  const only = await settingsOf({ setting: { system_prompt: text } })
  const added = await settingsOf({
    setting: { system_prompt: text, system_prompt_override: true },
  })
  expect([only.plugin, added.plugin]).toEqual([
    { system_prompt: { text, position: 'missing' } },
    { system_prompt: { text, position: 'before' } },
  ])
})

it('mapped statuses and shown thoughts of a channel are carried, and the rest is named', async () => {
  const { plugin, imported } = await settingsOf({
    setting: { thinking_to_content: true, force_format: true, pass_through_body_enabled: false },
    status_code_mapping: { 429: '503', 400: 500, 200: 500 },
  })
  expect(plugin).toEqual({
    answers: { status_codes: '400: 500, 429: 503', thoughts_as_text: true },
  })
  expect(changesOf(imported, 'channels', 950)).toEqual([
    ...['the setting `force_format` is not carried'],
    '`200` of `status_code_mapping` is not carried',
  ])
})
