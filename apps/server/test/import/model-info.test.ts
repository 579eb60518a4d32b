import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp } from '../harness.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import { copyOf } from './databases.ts'
import { newFolder, runImport, type Target } from './target.ts'

type Row = Record<string, string | number | null>

/** A row as One Hub writes it. */
const rowOf = (model: string, more: Row = {}): Row => ({
  ...{ model, name: model, description: 'text', context_length: 8_000, max_tokens: 1_000 },
  ...{ input_modalities: '["text"]', output_modalities: '["text"]', tags: '[]', support_url: '[]' },
  ...{ created_at: 100, updated_at: 100, ...more },
})

/** A database of One Hub with these rows next to the one that it wrote itself. */
const sourceWith = (rows: readonly Row[]): string => {
  const file = copyOf('one-hub-sqlite')
  const database = new DatabaseSync(file)
  for (const row of rows) {
    const names = Object.keys(row)
    const marks = names.map(() => '?').join(', ')
    database
      .prepare(`insert into model_info (${names.join(', ')}) values (${marks})`)
      .run(...Object.values(row))
  }
  database.close()
  return file
}

/** The public list of the gateway that an import filled. */
const listed = async ({ dataDir, databaseUrl }: Target) => {
  const hub = await openTestApp(databaseUrl, { DATA_DIR: dataDir })
  const { body } = await hub.guest().get('/api/model_info/')
  await hub.close(1)
  return body.data as Row[]
}

const script = 'javascript:alert(1)'
const rows = [
  rowOf('twice', { name: 'older' }),
  rowOf('bare', { support_url: 'https://vendor.example/docs', tags: null, name: '' }),
  rowOf('twice', { name: 'newest', updated_at: 300, support_url: '["https://vendor.example"]' }),
  rowOf('twice', { name: 'between', updated_at: 200 }),
  rowOf('wrong', { support_url: script, tags: 'red, blue', max_tokens: -1, output_modalities: '' }),
  rowOf(' '),
]

const importTests = (open: () => Promise<Target>) => {
  let target: Target
  beforeAll(async () => {
    target = await open()
  })

  it('descriptions of models arrive, one of each model, and the report names the rest', async () => {
    const address = sourceWith(rows)
    const dry = await runImport(target, address, { isDryRun: true })
    const report = await runImport(target, address)
    expect({ ...dry, isDryRun: false, channelIds: report.channelIds }).toEqual(report)
    expect(report.tables.model_info).toEqual({ found: 7, carried: 4, skipped: 3 })
    const of = <T extends { table: string; id: unknown }>(all: T[]) =>
      all
        .filter(each => each.table === 'model_info')
        .toSorted((a, b) => Number(a.id) - Number(b.id))
        .map(({ table: _, ...rest }) => rest)
    const reason = 'a newer row describes the same model'
    expect(of(report.skipped)).toEqual([
      { id: 2, name: 'twice', reason },
      { id: 5, name: 'twice', reason },
      { id: 7, name: '', reason: 'its model has no name, or one of more than 100 characters' },
    ])
    expect(of(report.changes)).toEqual(
      ['max_tokens', 'tags', 'support_url'].map(field => ({
        ...{ id: 6, name: 'wrong' },
        change: expect.stringContaining(`not carried: \`${field}\` `),
      })),
    )
    expect(report.left.map(each => each.table)).not.toContain('model_info')
    const found = await listed(target)
    expect(found.map(({ id: _, ...row }) => row)).toEqual([
      rowOf('wrong', { max_tokens: 0, output_modalities: '[]' }),
      rowOf('twice', {
        ...{ name: 'newest', updated_at: 300, support_url: '["https://vendor.example"]' },
      }),
      rowOf('bare', { support_url: '["https://vendor.example/docs"]', tags: '[]' }),
      {
        ...rowOf('gpt-4o', { name: 'GPT-4o', description: 'made up text', tags: '["hot"]' }),
        ...{ context_length: 128_000, max_tokens: 16_384, input_modalities: '["text","image"]' },
        ...{ created_at: 1_795_425_598, updated_at: 1_795_425_598 },
      },
    ])
  })
}

describe('Model information of One Hub, into SQLite', () => {
  importTests(async () => ({ dataDir: newFolder() }))

  it('a release without the table has nothing to carry', async () => {
    const file = sourceWith([])
    const database = new DatabaseSync(file)
    database.exec('drop table model_info')
    database.close()
    const report = await runImport({ dataDir: newFolder() }, file)
    expect(report.tables.model_info).toEqual({ found: 0, carried: 0, skipped: 0 })
  })
})

const skipReason = postgresSkipReason()

describe.skipIf(skipReason)(
  `Model information of One Hub, into PostgreSQL ${skipReason ?? ''}`,
  () => {
    let postgres: PostgresDatabases
    afterAll(() => postgres?.stop())

    importTests(async () => {
      postgres = await openPostgres()
      return { dataDir: newFolder(), databaseUrl: await postgres.migrated('hub') }
    })
  },
)
