import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Fault } from '@hub/contract'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { silentLog } from '../../test/silent-log.ts'
import { describeStores, type TestStores } from '../../test/stores.ts'
import { makeTempFolder } from '../../test/temp-folder.ts'
import { audit } from '../auditor/audit.ts'
import { withDump } from '../db/engines/backup.ts'
import { openStore } from '../db/open.ts'
import { readEnv } from '../env.ts'
import { makeFirstRoot } from '../features/users/first-root.ts'
import { openApp } from '../open-app.ts'
import { type BackupEnd, signBackup } from './format.ts'
import { restoreBackup } from './restore.ts'
import { writeBackup } from './write.ts'

type Location = Awaited<ReturnType<TestStores['location']>>

const masterKey = randomBytes(32)
const takenAt = new Date('2026-11-25T10:00:00Z')

const openAt = ({ dataDir, databaseUrl }: Location, key = masterKey) =>
  openApp(
    readEnv({
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      MASTER_KEY: key.toString('base64'),
      INITIAL_ROOT_TOKEN: `sk-${'a'.repeat(48)}`,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    }),
  )

/** A database with a user, a key, and values that are easily rounded, cut or escaped wrongly. */
const fill = async (location: Location) => {
  const { app, closeStores } = await openAt(location)
  await makeFirstRoot(app, () => {})
  await sql`insert into usage_sums (kind, span, at, key, requests, failed, charged_failures, quota, prompt_tokens,
    completion_tokens) values ('model', 900, 0, ${'a\u2028b\n"\\漢字'}, 1, 0, 0, 9007199254740993, 2, 3)`.execute(
    app.db,
  )
  await closeStores()
}

const contentOf = (location: Location) =>
  withDump(location, async dump => {
    const tables: Record<string, unknown> = {}
    for (const table of await dump.tables()) {
      const rows: string[] = []
      for await (const batch of dump.rows(table))
        rows.push(
          ...batch.map(row =>
            JSON.stringify(row, (_, cell) => (typeof cell === 'bigint' ? `${cell}n` : cell)),
          ),
        )
      tables[table.name] = { columns: table.columns.toSorted(), rows: rows.sort() }
    }
    return { tables, migrations: (await dump.migrations()).sort() }
  })

const restore = (
  file: string,
  location: Location,
  more: { replace?: boolean; key?: Buffer; unsigned?: boolean } = {},
) =>
  restoreBackup(file, {
    ...location,
    masterKey: more.key ?? masterKey,
    log: silentLog,
    allowsUnsigned: more.unsigned === true,
    confirmReplace: async loss => {
      if (!more.replace) throw new Error(`nobody agreed: ${loss}`)
    },
  })

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it was accepted',
    error => (error instanceof Fault ? `${error.code}: ${error.message}` : String(error)),
  )

/** The file with an edited content and the checksum of that. */
const forge = (file: string, edit: (text: string) => string) => {
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  const last: BackupEnd = JSON.parse(lines.at(-2)!)
  const content = `${edit(lines.slice(0, -2).join('\n'))}\n`
  const { signature, ...end } = {
    ...last,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
  const write = (ended: BackupEnd) => {
    const path = join(makeTempFolder(), 'forged.jsonl.gz')
    writeFileSync(path, gzipSync(`${content}${JSON.stringify(ended)}\n`))
    return path
  }
  return {
    signed: (sign: (end: BackupEnd) => string = () => signature!) =>
      write({ ...end, signature: sign(end) }),
    unsigned: () => write(end),
  }
}

describeStores('backup', stores => {
  const makeBackup = async (name = 'a.jsonl.gz') => {
    const location = await stores.location()
    await fill(location)
    const file = join(makeTempFolder(), name)
    const result = await writeBackup({ ...location, masterKey }, file, takenAt)
    return { location, file, result }
  }

  it('log rows of any time are restored, also those that no month has', async () => {
    const location = await stores.location()
    await fill(location)
    const { app, closeStores } = await openAt(location)
    // The last two are milliseconds that were stored as seconds, and the largest exact number.
    const times = [0, 1_780_000_000, 253_402_300_799, 1_780_000_000_000, Number.MAX_SAFE_INTEGER]
    for (const [id, time] of times.entries())
      await sql`insert into logs (id, user_id, created_at, type, content, username, quota, token_name, model_name,
        prompt_tokens, completion_tokens, channel_id, request_time, is_stream, source_ip, metadata)
        values (${id + 1}, 1, ${time}, 6, '', '', 0, '', '', 0, 0, 0, 0, 0, '', '{}')`.execute(
        app.db,
      )
    await closeStores()
    const file = join(makeTempFolder(), 'a.jsonl.gz')
    await writeBackup({ ...location, masterKey }, file, takenAt)
    const target = await stores.emptyLocation()
    await restore(file, target)
    const { logs } = (await contentOf(target)).tables as Record<string, { rows: string[] }>
    expect(logs!.rows).toHaveLength(times.length)
    expect(logs).toEqual((await contentOf(location)).tables.logs)
  })

  it('a restored database has every row of the backup, and the next ids', async () => {
    const { location, file, result } = await makeBackup()
    expect(result).toMatchObject({ file, createdAt: '2026-11-25T10:00:00.000Z' })
    expect(readdirSync(join(file, '..'))).toEqual(['a.jsonl.gz'])
    const target = await stores.emptyLocation()
    const restored = await restore(file, target)
    expect(restored).toMatchObject({ foreignTables: [], kept: undefined, movedFiles: [] })
    const content = await contentOf(target)
    expect(content).toEqual(await contentOf(location))
    expect(JSON.stringify(content.tables.usage_sums)).toContain('9007199254740993n')
    expect((await audit(target)).isClean).toBe(true)

    const earlier = await openStore({ ...location, log: silentLog })
    const later = await openStore({ ...target, log: silentLog })
    expect(later.ledger.epoch).toBeGreaterThan(earlier.ledger.epoch + 900)
    await earlier.close()
    const user = { username: 'next', aff_code: 'next' }
    const insert = () =>
      sql<{
        id: number
      }>`insert into users (username, password_hash, display_name, role, status, email, avatar_url,
        "group", aff_code, inviter_id, created_time, last_login_time, last_login_ip, must_change_password)
        values (${user.username}, '', '', 1, 1, '', '', 'default', ${user.aff_code}, 0, 0, 0, '', 0) returning id`.execute(
        later.db,
      )
    expect((await insert()).rows).toEqual([{ id: 2 }])
    await later.close()
  })

  it('the restored gateway opens what was sealed, and a wrong master key is refused before anything changes', async () => {
    const { file } = await makeBackup()
    const target = await stores.emptyLocation()
    const wrong = await refusalOf(restore(file, target, { key: randomBytes(32) }))
    expect(wrong).toMatch(/^backup\.refused: .*sealed with another master key\. Set MASTER_KEY/)
    expect(existsSync(join(target.dataDir, 'hub.db'))).toBe(false)
    await restore(file, target)
    const { app, closeStores } = await openAt(target)
    const token = await app.db.selectFrom('tokens').selectAll().executeTakeFirstOrThrow()
    const opened = app.seal.open('token-key', `tokens.key_sealed:${token.id}`, token.key_sealed)
    expect(opened).toContain('a'.repeat(48))
    await closeStores()
    await expect(openAt(target, randomBytes(32))).rejects.toThrow('MASTER_KEY')
  })

  it('a backup is refused with a master key that is not the one of the database', async () => {
    const { location } = await makeBackup()
    const file = join(makeTempFolder(), 'wrong.gz')
    const source = { ...location, masterKey: randomBytes(32) }
    expect(await refusalOf(writeBackup(source, file, takenAt))).toMatch(
      /^env\.invalid: .*wrong key/,
    )
    expect(existsSync(file)).toBe(false)
  })

  it('a database with users is replaced only when told', async () => {
    const { location, file } = await makeBackup()
    const before = await contentOf(location)
    const { app, closeStores } = await openAt(location)
    await app.db.updateTable('users').set({ display_name: 'changed since' }).execute()
    await closeStores()
    expect(await refusalOf(restore(file, location))).toMatch(/nobody agreed: .*has users already/)
    const { kept, movedFiles } = await restore(file, location, { replace: true })
    expect(await contentOf(location)).toEqual(before)
    expect(movedFiles.map(each => /(journal|epoch)-/.exec(each)?.[1]).sort()).toEqual([
      'epoch',
      'journal',
    ])
    if (!stores.isPostgres) expect(existsSync(kept ?? '')).toBe(true)
  })

  it('a database that a server uses is not replaced', async () => {
    const { location, file } = await makeBackup()
    const { closeStores } = await openAt(location)
    const elsewhere = stores.isPostgres ? { ...location, dataDir: makeTempFolder() } : location
    const refused = await refusalOf(restore(file, elsewhere, { replace: true }))
    expect(refused).toMatch(stores.isPostgres ? /Stop every node/ : /Another process already works/)
    await closeStores()
  })

  it('a file that is damaged, cut, changed, foreign or of a later release is refused', async () => {
    const { file } = await makeBackup()
    const target = await stores.emptyLocation()
    const bytes = readFileSync(file)
    const text = gunzipSync(bytes).toString()
    const lines = text.split('\n')
    const flipped = Buffer.from(bytes)
    flipped[Math.floor(bytes.length / 2)]! ^= 0x10
    const header = JSON.parse(lines[0]!)
    const withHeader = (change: object) =>
      gzipSync([JSON.stringify({ ...header, ...change }), ...lines.slice(1)].join('\n'))
    const planted: [Buffer, RegExp][] = [
      [bytes.subarray(0, bytes.length - 100), /is damaged/],
      [bytes.subarray(0, 200), /is damaged/],
      [flipped, /is damaged/],
      [gzipSync(text.replace('漢字', '漢文')), /damaged \(its checksum is wrong\)/],
      [gzipSync(lines.slice(0, -2).join('\n')), /damaged/],
      [gzipSync(lines.filter((_, at) => at !== 4).join('\n')), /damaged/],
      [gzipSync(`${text}{}\n`), /damaged \(there is text after its end\)/],
      [Buffer.from(text), /is no backup of this gateway/],
      [gzipSync('hello\n'), /is no backup of this gateway/],
      [gzipSync(''), /damaged \(its end is missing\)/],
      [withHeader({ version: 2 }), /has format 2, and this release reads 1/],
    ]
    for (const [at, [content, reason]] of planted.entries()) {
      const path = join(makeTempFolder(), 'planted')
      writeFileSync(path, content)
      expect([at, await refusalOf(restore(path, target))]).toEqual([
        at,
        expect.stringMatching(reason),
      ])
    }
    expect(await refusalOf(restore(`${file}.absent`, target))).toMatch(/cannot be read: ENOENT/)
    expect(readdirSync(target.dataDir)).toEqual([])
  })

  it('a backup that was edited and has a right checksum is refused by its signature', async () => {
    const { file } = await makeBackup()
    const target = await stores.emptyLocation()
    const [found, ...others] = await Promise.all(
      [
        (text: string) => text,
        (text: string) => text.replace('漢字', '漢文'),
        (text: string) => text.replace('"root"', '"mallory"'),
      ].map(async edit => forge(file, edit)),
    )
    const key = randomBytes(32)
    for (const planted of others) {
      for (const unsigned of [false, true])
        expect(await refusalOf(restore(planted.signed(), target, { unsigned }))).toMatch(
          /^backup\.refused: .*was changed after it was made/,
        )
      const byAnother = planted.signed(end => signBackup(key, end))
      expect(await refusalOf(restore(byAnother, target, { unsigned: true }))).toMatch(
        /signature is wrong/,
      )
      expect(await refusalOf(restore(planted.unsigned(), target))).toMatch(
        /^backup\.refused: .*has no signature.*add --unsigned/,
      )
    }
    expect(readdirSync(target.dataDir)).toEqual([])
    await restore(found!.unsigned(), target, { unsigned: true })
    expect((await audit(target)).isClean).toBe(true)
  })

  it('a backup of a later release is refused, and the database stays as it is', async () => {
    const { location, file } = await makeBackup()
    const { app, closeStores } = await openAt(location)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2027')`.execute(
      app.db,
    )
    await closeStores()
    await writeBackup({ ...location, masterKey }, file, takenAt)
    const before = await contentOf(location)
    expect(await refusalOf(restore(file, location, { replace: true }))).toMatch(
      /made by a later release: this one has no migration 9999-later/,
    )
    expect(await contentOf(location)).toEqual(before)
  })
})
