import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Inspection } from '../db/inspect.ts'
import type { Env } from '../env.ts'
import { type DoctorResult, failed, ok, skipped, warning } from './check.ts'

const slowMs = 50
const clockWarningMs = 2_000
const clockFailedMs = 30_000

/** The embedded database is made by the first start, and never by a look at it. */
export const isAbsent = ({ databaseUrl, dataDir }: Env): boolean =>
  !databaseUrl && !existsSync(join(dataDir, 'hub.db'))

export const databaseResults = (inspection: Inspection): DoctorResult[] => [
  speedResult(inspection),
  schemaResult(inspection),
  writeResult(inspection),
]

const speedResult = ({ milliseconds, unsafe }: Inspection): DoctorResult => {
  const ms = milliseconds.toFixed(1)
  if (unsafe.length > 0)
    return warning(
      'database',
      `A crash of its server loses charges, because of ${unsafe.join(', ')}. Turn them on.`,
    )
  return milliseconds > slowMs
    ? warning(
        'database',
        `It answers only after ${ms} ms, and every call waits for it. Put it nearer, or look at its load.`,
      )
    : ok('database', `It answers after ${ms} ms.`)
}

const schemaResult = ({ missing, unknown, oldestCompatible }: Inspection): DoctorResult => {
  if (oldestCompatible !== undefined && unknown.includes(oldestCompatible))
    return failed(
      'schema',
      `A later release with migration ${oldestCompatible} has changed it, and this one cannot read it. Start the later release, or restore a backup from before the upgrade.`,
    )
  if (unknown.length > 0)
    return warning(
      'schema',
      `A later release has extended it by ${unknown.length} migrations; this one can work on it.`,
    )
  return missing.length > 0
    ? warning(
        'schema',
        `It lacks ${missing.length} migrations of this release. The next start runs them; make a backup before.`,
      )
    : ok('schema', 'It is that of this release.')
}

const writeResult = ({ writeError, missing, unknown }: Inspection): DoctorResult => {
  if (writeError !== undefined)
    return failed(
      'write',
      `The database cannot be written: ${writeError}. Give its user the right, or end what blocks it.`,
    )
  return missing.length > 0 && unknown.length === 0 && missing[0] === '0001-first'
    ? skipped('write', 'The database is empty.')
    : ok('write', 'The database can be written.')
}

/** `otherMs` is the time of another clock. */
export const clockResult = (
  nowMs: number,
  otherMs: number | undefined,
  owner: string,
): DoctorResult => {
  if (otherMs === undefined || Number.isNaN(otherMs))
    return skipped('clock', 'There is no other clock to compare it with.')
  const apart = Math.abs(nowMs - otherMs)
  const text = `It is ${(apart / 1000).toFixed(1)} s apart from ${owner}.`
  const advice =
    'Set the clock by a time server (NTP): limits, sessions and signatures depend on it.'
  if (apart > clockFailedMs) return failed('clock', `${text} ${advice}`)
  return apart > clockWarningMs ? warning('clock', `${text} ${advice}`) : ok('clock', text)
}
