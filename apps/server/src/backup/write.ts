import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Fault } from '@hub/contract'
import { fingerprintMasterKey, masterKeyProbe, openOption } from '../core/secrets/master-key.ts'
import { type Dump, withDump } from '../db/engines/backup.ts'
import { failpoint } from '../lib/failpoint.ts'
import { version } from '../lib/runtime/version.ts'
import { makeSealer } from '../lib/seal.ts'
import {
  type BackupEnd,
  type BackupHeader,
  encodeRow,
  formatName,
  formatVersion,
  signBackup,
  tableLine,
} from './format.ts'

export type BackupSource = {
  databaseUrl: string | undefined
  dataDir: string
  masterKey: Buffer
}

export type BackupResult = Pick<BackupEnd, 'tables' | 'rows'> & {
  file: string
  bytes: number
  createdAt: string
}

/** Fast compression: most of a backup is log rows, and a database that is read for long cannot clean up. */
const gzipLevel = 4

/**
 * Writes one consistent state of the database into a file while gateways work. The file has its name only once it is
 * whole and on disk.
 */
export const writeBackup = (source: BackupSource, file: string, now: Date): Promise<BackupResult> =>
  withDump(source, async dump => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const header = await makeHeader(dump, source.masterKey, now)
    const unfinished = `${file}.unfinished`
    const end = { tables: 0, rows: 0 }
    try {
      await pipeline(
        Readable.from(linesOf(dump, header, end, source.masterKey), { objectMode: false }),
        createGzip({ level: gzipLevel }),
        createWriteStream(unfinished, { mode: 0o600 }),
      )
      await flush(unfinished)
      failpoint('backup written')
      await rename(unfinished, file)
      await flush(dirname(file))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    const { size } = await stat(file)
    return { ...end, file, bytes: size, createdAt: header.created_at }
  })

const flush = async (path: string) => {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

const makeHeader = async (dump: Dump, masterKey: Buffer, now: Date): Promise<BackupHeader> => {
  const probe = await dump.option(masterKeyProbe)
  try {
    if (probe !== undefined) openOption(makeSealer(masterKey), masterKeyProbe, probe)
  } catch (cause) {
    throw new Fault('env.invalid', {
      hint: 'MASTER_KEY (or master.key in DATA_DIR) is not the one of this database, so that the backup would name a wrong key.',
      cause,
    })
  }
  return {
    format: formatName,
    version: formatVersion,
    created_at: now.toISOString(),
    release: version,
    master_key: fingerprintMasterKey(masterKey),
    migrations: await dump.migrations(),
  }
}

/** Counts tables and rows in `end` on the way. */
async function* linesOf(
  dump: Dump,
  header: BackupHeader,
  end: Pick<BackupEnd, 'tables' | 'rows'>,
  masterKey: Buffer,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const lines = (texts: readonly string[]) => {
    const bytes = Buffer.from(`${texts.join('\n')}\n`)
    hash.update(bytes)
    return bytes
  }
  yield lines([JSON.stringify(header)])
  for (const table of await dump.tables()) {
    yield lines([JSON.stringify(tableLine(table))])
    let count = 0
    for await (const rows of dump.rows(table)) {
      yield lines(rows.map(encodeRow))
      count += rows.length
    }
    yield lines([JSON.stringify({ end: table.name, rows: count })])
    end.tables += 1
    end.rows += count
  }
  const signed = { ...end, sha256: hash.digest('hex') }
  const signature = signBackup(masterKey, signed)
  yield Buffer.from(`${JSON.stringify({ ...signed, signature })}\n`)
}
