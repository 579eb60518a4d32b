import { randomUUID } from 'node:crypto'
import { statfs, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { isReadOnly, isStorageFull } from '../../db/engines/query-errors.ts'
import { renewLease } from '../../db/queries/nodes.ts'
import { singleflight } from '../../lib/singleflight.ts'

const lagMsMax = 1_000
const writeMsMax = 3_000
/** Balancers and people ask often; a result serves all of them for this long. */
const cacheMs = 1_500
/** Less free space than this is as good as none: the database and the journal grow by whole blocks. */
const diskBytesMin = 16 * 1_048_576
const probeBytes = 65_536

/** Why this node cannot take work; empty if it can. It must be able to record what the work costs, so it tries to write. */
export const notReadyReason = async (app: App): Promise<string> => {
  if (app.stopping()) return 'stopping'
  if (app.ledger.lag() > lagMsMax) return 'the ledger is behind'
  return writeCheck(app)()
}

const writeCheck = appScoped(app => {
  let last: { at: number; reason: string } | undefined
  const check = singleflight(async () => {
    const reason = (await diskReason(app)) || (await databaseReason(app))
    last = { at: app.monotonic(), reason }
    return reason
  })
  return async () => (last && app.monotonic() - last.at < cacheMs ? last.reason : check())
})

/** The journal takes the ends of calls while the database is away, and SQLite lies here. */
const diskReason = async ({ env: { dataDir } }: App): Promise<string> => {
  const file = join(dataDir, `.readiness-${randomUUID()}`)
  try {
    const { bavail, bsize } = await statfs(dataDir)
    if (bavail * bsize < diskBytesMin) return 'the disk of DATA_DIR is full'
    await writeFile(file, Buffer.alloc(probeBytes))
    return ''
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') return 'the disk of DATA_DIR is full'
    return `DATA_DIR cannot be written (${code})`
  } finally {
    await unlink(file).catch(() => undefined)
  }
}

/** Renews the lease of this node once more, which is the smallest write that no engine leaves out. */
const databaseReason = async (app: App): Promise<string> => {
  const limit = AbortSignal.timeout(writeMsMax)
  const timedOut = new Promise<string>(resolve =>
    limit.addEventListener('abort', () => resolve('the database does not answer'), { once: true }),
  )
  const written = renewLease(app.db, app.ledger.epoch).then(() => '', failureReason)
  return Promise.race([written, timedOut])
}

const failureReason = (error: unknown): string => {
  if (isStorageFull(error)) return 'the disk of the database is full'
  return isReadOnly(error) ? 'the database is read-only' : 'the database takes no writes'
}
