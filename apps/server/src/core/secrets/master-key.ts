import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Fault } from '@hub/contract'
import type { Database } from '../../db/index.ts'
import * as options from '../../db/queries/options.ts'
import { type FingerprintKeys, makeSealer, type Sealer } from '../../lib/seal.ts'

/** The option that tells with which master key a database is sealed. */
export const masterKeyProbe = 'MasterKeyProbe'
/** The keys of fingerprints from before the first change of the master key, sealed. */
export const fingerprintKeysOption = 'FingerprintKeys'
/** Present while the master key is being changed: the probe, sealed with the new one. */
export const rotationOption = 'MasterKeyRotation'

const contextOf = (option: string) => `options.value:${option}`

export const sealOption = (seal: Sealer, option: string, text: string): string =>
  seal.seal('master-key', contextOf(option), text)

/** Throws when it was sealed with another master key. */
export const openOption = (seal: Sealer, option: string, sealed: string): string =>
  seal.open('master-key', contextOf(option), sealed)

/** Names the master key without revealing it. */
export const fingerprintMasterKey = (masterKey: Buffer): string =>
  makeSealer(masterKey).fingerprint('master-key', 'backup')

export const readFingerprintKeys = async (
  db: Database,
  masterKey: Buffer,
): Promise<FingerprintKeys> => {
  const sealed = await options.find(db, fingerprintKeysOption)
  return sealed ? JSON.parse(openOption(makeSealer(masterKey), fingerprintKeysOption, sealed)) : {}
}

/** Refuses a database sealed with another master key, whose channel keys would be lost on the next save. */
export const openSealer = async (
  db: Database,
  masterKey: Buffer,
  newKeyFile?: string,
): Promise<Sealer> => {
  await checkMasterKey(db, masterKey, newKeyFile)
  return makeSealer(masterKey, await readFingerprintKeys(db, masterKey))
}

/** The sentence for a database whose master key is lost. */
export const lostKeySentence = (keyFile: string): string =>
  `The secrets of this database are sealed, and ${keyFile}, which opens them, is not there. Put it back, or set MASTER_KEY to its content.`

export const isSealed = async (db: Database): Promise<boolean> =>
  (await options.find(db, masterKeyProbe)) !== undefined

const storeNewKey = (file: string, key: Buffer) => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const content = `${key.toString('base64')}\n`
  writeFileSync(file, content, { mode: 0o600, flag: 'wx', flush: true })
}

const checkMasterKey = async (db: Database, masterKey: Buffer, newKeyFile: string | undefined) => {
  const seal = makeSealer(masterKey)
  if ((await options.find(db, rotationOption)) !== undefined)
    throw new Fault('env.invalid', {
      hint: 'A change of the master key was interrupted. Run npm run rotate-master-key again to finish it.',
    })
  const read = () => options.find(db, masterKeyProbe)
  let sealed = await read()
  if (sealed !== undefined && newKeyFile !== undefined)
    throw new Fault('env.invalid', { hint: lostKeySentence(newKeyFile) })
  if (sealed === undefined) {
    // Stored first: a database must never be sealed with a key that a crash has lost.
    if (newKeyFile !== undefined) storeNewKey(newKeyFile, masterKey)
    // Another node may start at the same moment, with another key: the first one counts.
    await options.writeFirst(db, masterKeyProbe, sealOption(seal, masterKeyProbe, masterKeyProbe))
    sealed = await read()
  }
  try {
    openOption(seal, masterKeyProbe, sealed ?? '')
  } catch (cause) {
    // Another node was first, with another key.
    if (newKeyFile !== undefined) rmSync(newKeyFile)
    throw new Fault('env.invalid', {
      hint: 'MASTER_KEY (or master.key in DATA_DIR) is not the one this database was sealed with. Restore the right one.',
      cause,
    })
  }
}
