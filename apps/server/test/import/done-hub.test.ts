import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { readChannels } from '../../src/importer/one-hub/channels.ts'
import { openSource } from '../../src/importer/sources/open-source.ts'
import { copyOf } from './databases.ts'

/** The first channel of a database of One Hub with the columns that done-hub adds. */
const readWith = async (columns: Record<string, string | number>) => {
  const file = copyOf('one-hub-sqlite')
  const source = new DatabaseSync(file)
  for (const each of ['header_override text', 'pass_through_body integer', 'cost_ratio real'])
    source.exec(`alter table channels add column ${each}`)
  for (const [column, value] of Object.entries(columns))
    source.prepare(`update channels set ${column} = ?`).run(value)
  source.close()
  const opened = await openSource(file)
  const [channel] = await readChannels(opened, { skipped: [], changes: [] })
  await opened.close()
  return channel!
}

it('the headers that done-hub adds to a channel join its own', async () => {
  const { fields, notes } = await readWith({
    model_headers: '{"X-Own":"a","X-Both":"b"}',
    header_override: '{"X-Both":"c","X-Key":"Bearer {api_key}"}',
  })
  expect(JSON.parse(String(fields.model_headers))).toEqual({ 'X-Own': 'a', 'X-Both': 'c' })
  expect(notes).toEqual(['the header `X-Key` is not carried'])
})

it('settings of a channel that have no counterpart are named where they are used', async () => {
  const used = await readWith({ pass_through_body: 1, cost_ratio: 0.5 })
  expect(used.notes).toEqual(['`pass_through_body` is not carried', '`cost_ratio` is not carried'])
  expect((await readWith({ pass_through_body: 0, cost_ratio: 1 })).notes).toEqual([])
})
