import { join } from 'node:path'
import { Fault } from '@hub/contract'
import pino from 'pino'
import { isSealed, lostKeySentence, openSealer } from '../core/secrets/master-key.ts'
import type { Database } from '../db/index.ts'
import { type Inspection, withInspectedDatabase } from '../db/inspect.ts'
import * as options from '../db/queries/options.ts'
import { listEnabledChannels } from '../db/queries/relay-channels.ts'
import { type Env, type EnvSource, readDatabaseEnv } from '../env.ts'
import type { Sealer } from '../lib/seal.ts'
import { type Channel, decodeChannel } from '../relay/channels/channel.ts'
import { readSettings } from '../settings/index.ts'
import { type DoctorResult, failed, ok, reasonOf, sentenceOf, skipped, warning } from './check.ts'
import { checkConfiguration, checkVersions } from './configuration.ts'
import { checkDataFolder } from './data-folder.ts'
import { clockResult, databaseResults, isAbsent } from './database.ts'
import { checkEgress, checkMail, checkRedis, timeAt } from './network.ts'
import { checkSiteAddress, checkSwitches } from './site.ts'

export type { DoctorResult } from './check.ts'

type ExamineOptions = {
  /** Wall clock in milliseconds. */
  now?: () => number
}

const log = pino({ level: 'silent' })

/** Looks at everything that a gateway needs. It changes nothing, and a gateway may run at the same time. */
export const examine = async (
  source?: EnvSource,
  { now = Date.now }: ExamineOptions = {},
): Promise<DoctorResult[]> => {
  const { results, env, masterKey } = checkConfiguration(source)
  const folder = await checkFolder(source)
  if (!env) return [...results, checkVersions(), ...folder]
  return [
    ...results,
    checkVersions(),
    ...folder,
    ...(await checkStores(env, masterKey, now)),
    await checkRedis(env, log),
  ]
}

const checkFolder = async (source: EnvSource | undefined) => {
  try {
    return await checkDataFolder(readDatabaseEnv(source))
  } catch (error) {
    return [failed('data folder', `It cannot be examined: ${reasonOf(error)}. Check DATA_DIR.`)]
  }
}

const checkStores = async (env: Env, masterKey: Buffer | undefined, now: () => number) => {
  if (isAbsent(env))
    return [
      warning(
        'database',
        `There is none in ${env.dataDir}. The first start makes it; if it should exist, check DATA_DIR.`,
      ),
    ]
  try {
    return await withInspectedDatabase({ ...env, log }, async (inspection, db) => [
      ...databaseResults(inspection),
      ...(await checkContent(inspection, db, { masterKey, now, dataDir: env.dataDir })),
    ])
  } catch (error) {
    return [
      failed(
        'database',
        error instanceof Fault && error.code === 'env.invalid'
          ? sentenceOf(error)
          : `It does not answer: ${reasonOf(error)}. Check DATABASE_URL, its server, and the rights of its user.`,
      ),
    ]
  }
}

type ContentOptions = { masterKey: Buffer | undefined; now: () => number; dataDir: string }

/** Checks that need rows of the database. */
const checkContent = async (
  { missing, clockMs }: Inspection,
  db: Database,
  { masterKey, now, dataDir }: ContentOptions,
): Promise<DoctorResult[]> => {
  const clock = clockMs === undefined ? undefined : clockResult(now(), clockMs, 'the database')
  if (missing.length > 0 || !masterKey) {
    const lost =
      missing.length === 0 && (await isSealed(db))
        ? [failed('secrets', lostKeySentence(join(dataDir, 'master.key')))]
        : []
    return [...lost, clock ?? skipped('clock', 'There is no other clock to compare it with.')]
  }
  const opened = await openSealer(db, masterKey).then(
    seal => ({ seal }),
    error => ({ error: sentenceOf(error) }),
  )
  if ('error' in opened) return [...(clock ? [clock] : []), failed('secrets', opened.error)]
  const settings = readSettings(await options.listAll(db), () => {})
  const channels = await decodeChannels(db, opened.seal)
  const isPrivateAllowed = settings.channels.PrivateAddressesAllowed
  return [
    ok('secrets', 'The master key opens them.'),
    clock ?? (await compareClock(channels, now)),
    await checkMail({ settings: () => settings, seal: opened.seal }),
    await checkSiteAddress({ settings: () => settings, db }),
    checkSwitches({ settings: () => settings }),
    ...(await checkEgress(channels, isPrivateAllowed)),
  ]
}

const compareClock = async (channels: readonly Channel[], now: () => number) => {
  const found = await timeAt(channels)
  return found ? clockResult(now(), found[0], found[1]) : clockResult(now(), undefined, '')
}

const decodeChannels = async (db: Database, seal: Sealer): Promise<Channel[]> =>
  (await listEnabledChannels(db))
    .map(row => decodeChannel({ seal, log }, row))
    .filter(each => each !== undefined)
