import { expect, it } from 'vitest'
import type { SourceDatabase, SourceRow } from '../sources/source-database.ts'
import { readChannels } from './channels.ts'

const channelOf = async (row: SourceRow) => {
  const tables = async () => new Set(['channels'])
  const source = { tables, rows: async () => [row] } as unknown as SourceDatabase
  const log = { skipped: [], changes: [] }
  const [channel] = await readChannels(source, { 41: { type: 42 } }, log)
  return channel!
}

it.each([
  ['us-east5', 'us-east5|mine'],
  ['{"default":"europe-west1","claude-x":"us-east5"}', 'europe-west1|mine'],
  ['', 'global|mine'],
])('the region %j of a Vertex AI channel becomes region and project', async (other, expected) => {
  const key = JSON.stringify({ project_id: 'mine' })
  const { fields } = await channelOf({ id: 1, type: 41, key, other, models: 'gemini-2.5-pro' })
  expect(fields.other).toBe(expected)
})

type Settings = Record<string, unknown>
const check = 'upstream_model_update_check_enabled'
const sync = 'upstream_model_update_auto_sync_enabled'
const ignored = 'upstream_model_update_ignored_models'
const last = {
  upstream_model_update_last_check_time: 5,
  upstream_model_update_last_detected_models: ['x'],
}

it.each<[string, Settings, object | undefined, RegExp | undefined]>([
  ['off', { [check]: false, [sync]: true, [ignored]: ['a'], ...last }, undefined, undefined],
  ['a check', { [check]: true, ...last }, { models: 'propose' }, undefined],
  [
    'a check that adds models',
    { [check]: true, [sync]: true },
    { models: 'apply' },
    /adds new models only if they have a price, and proposes the removal/,
  ],
  [
    'ignored models',
    { [check]: true, [ignored]: ['a', ' b ', 'regex:^c'] },
    { models: 'propose', ignored: 'a, b' },
    /`regex:\^c`/,
  ],
])('%s of New API becomes the watch of the channel', async (_, settings, watch, note) => {
  const row = { id: 1, type: 1, key: 'k', models: 'm', settings: JSON.stringify(settings) }
  const { fields, notes } = await channelOf(row)
  expect(fields.plugin).toEqual(watch ? { watch } : {})
  expect(notes).toEqual(note ? [expect.stringMatching(note)] : [])
})

it('a check of a type without a model list is named', async () => {
  const settings = JSON.stringify({ [check]: true })
  const { fields, notes } = await channelOf({ id: 1, type: 41, key: '{}', models: 'm', settings })
  expect(fields.plugin).toEqual({})
  expect(notes).toEqual([expect.stringMatching(/not carried/)])
})
