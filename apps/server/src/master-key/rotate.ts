import { Fault, isSecretSetting } from '@hub/contract'
import {
  fingerprintKeysOption,
  masterKeyProbe,
  openOption,
  readFingerprintKeys,
  rotationOption,
  sealOption,
} from '../core/secrets/master-key.ts'
import type { Database } from '../db/index.ts'
import * as options from '../db/queries/options.ts'
import * as values from '../db/queries/sealed-values.ts'
import { failpoint } from '../lib/failpoint.ts'
import { fingerprintKeysOf, makeSealer, type Sealer } from '../lib/seal.ts'
import { sealedColumns } from './sealed-columns.ts'

export type Rotation = {
  /** Values that were sealed again. */
  sealed: number
  /** Values that a run before had sealed already. */
  skipped: number
  /** Rows whose value neither key opens; they stay as they are. */
  unopened: string[]
}

type Keys = { oldKey: Buffer; newKey: Buffer }
type Column = (typeof sealedColumns)[number]
type Sealers = { old: Sealer; next: Sealer }

const batchRows = 200

/** These are sealed for another purpose, and replaced together at the end. */
const ownOptions = [masterKeyProbe, fingerprintKeysOption, rotationOption]

/**
 * Seals every secret of the database with another master key, in short transactions. Until the last of them no gateway
 * starts on it. A run after a kill continues: values that the new key opens are left alone.
 */
export const rotateMasterKey = async (db: Database, keys: Keys): Promise<Rotation> => {
  const sealers = { old: makeSealer(keys.oldKey), next: makeSealer(keys.newKey) }
  const rotation: Rotation = { sealed: 0, skipped: 0, unopened: [] }
  if (!(await begin(db, sealers))) return rotation
  for (const column of sealedColumns) await sealColumn(db, sealers, column, rotation)
  await finish(db, keys, sealers)
  return rotation
}

const opens = (seal: Sealer, option: string, sealed: string): boolean => {
  try {
    openOption(seal, option, sealed)
    return true
  } catch {
    return false
  }
}

const refuse = (hint: string): never => {
  throw new Fault('env.invalid', { hint })
}

/** False if the database is sealed with the new key already. */
const begin = async (db: Database, { old, next }: Sealers): Promise<boolean> => {
  const probe = await options.find(db, masterKeyProbe)
  const begun = await options.find(db, rotationOption)
  if (probe === undefined) return refuse('The database has no secrets yet. Start the server once.')
  if (begun !== undefined && !opens(next, rotationOption, begun))
    refuse('An interrupted change of the master key used another new key. Give that one again.')
  if (begun === undefined && opens(next, masterKeyProbe, probe)) return false
  if (!opens(old, masterKeyProbe, probe))
    refuse('MASTER_KEY (or master.key in DATA_DIR) is not the one this database was sealed with.')
  if (begun === undefined)
    await options.write(db, rotationOption, sealOption(next, rotationOption, masterKeyProbe))
  return true
}

const sealColumn = async (db: Database, sealers: Sealers, column: Column, rotation: Rotation) => {
  let after: string | number | undefined
  for (;;) {
    const batch = await values.listAfter(db, column, after, batchRows)
    if (batch.length === 0) return
    after = batch.at(-1)?.key
    await db.transaction().execute(async tx => {
      for (const value of batch) {
        if (column.table === 'options' && ownOptions.includes(String(value.key))) continue
        await sealValue(tx, sealers, column, value, rotation)
      }
    })
    failpoint('batch sealed')
  }
}

const sealValue = async (
  tx: Database,
  { old, next }: Sealers,
  column: Column,
  value: values.SealedValue,
  rotation: Rotation,
) => {
  const { purpose, table } = column
  const { context, sealed, key } = value
  const text = tryOpen(old, purpose, context, sealed)
  if (text !== undefined) {
    await values.replace(tx, column, value, next.seal(purpose, context, text))
    rotation.sealed += 1
  } else if (tryOpen(next, purpose, context, sealed) !== undefined) rotation.skipped += 1
  // A plain setting may begin like a sealed text.
  else if (table !== 'options' || isSecretSetting(String(key))) rotation.unopened.push(context)
}

const tryOpen = (seal: Sealer, ...[purpose, context, sealed]: Parameters<Sealer['open']>) => {
  try {
    return seal.open(purpose, context, sealed)
  } catch {
    return undefined
  }
}

/**
 * Fingerprints keep their keys: many of them, such as those of access tokens, cannot be made again, because their texts
 * are not stored.
 */
const finish = (db: Database, { oldKey }: Keys, { next }: Sealers) =>
  db.transaction().execute(async tx => {
    const fingerprintKeys = fingerprintKeysOf(oldKey, await readFingerprintKeys(tx, oldKey))
    const write = (option: string, text: string) =>
      options.write(tx, option, sealOption(next, option, text))
    await write(fingerprintKeysOption, JSON.stringify(fingerprintKeys))
    await write(masterKeyProbe, masterKeyProbe)
    await options.remove(tx, rotationOption)
  })
