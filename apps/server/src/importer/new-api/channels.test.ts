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
