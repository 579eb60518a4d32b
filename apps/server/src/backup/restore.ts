import type { Logger } from 'pino'
import { fingerprintMasterKey } from '../core/secrets/master-key.ts'
import type { TableWriter } from '../db/engines/backup.ts'
import { type RestoredStore, type RestoreOptions, restoreStore } from '../db/restore.ts'
import { type BackupEnd, type BackupHeader, refuseBackup, signBackup } from './format.ts'
import { type BackupReader, readBackup } from './read.ts'
import type { BackupSource } from './write.ts'

export type RestoreTargetOptions = BackupSource & {
  log: Logger
  /** Accepts a backup without a signature, whose content anybody can have changed. */
  allowsUnsigned: boolean
} & Pick<RestoreOptions, 'confirmReplace'>

export type RestoreResult = RestoredStore & {
  header: BackupHeader
  end: BackupEnd
  /** Tables of the backup that the gateway does not have; they were left out. */
  foreignTables: string[]
}

/** Checks the whole file, and then fills the database from it. Throws `backup.refused` before anything has changed. */
export const restoreBackup = async (
  file: string,
  { masterKey, allowsUnsigned, ...target }: RestoreTargetOptions,
): Promise<RestoreResult> => {
  const { header, end } = await checkBackup(file, masterKey)
  checkSignature(file, masterKey, end, allowsUnsigned)
  const foreignTables: string[] = []
  const { migrations } = header
  const restored = await restoreStore({ ...target, migrations }, async writer => {
    const { sha256 } = await readBackup(file, fillTables(writer, foreignTables))
    if (sha256 !== end.sha256) refuseBackup(`${file} was replaced while it was read.`)
  })
  return { ...restored, header, end, foreignTables }
}

const checkBackup = async (file: string, masterKey: Buffer) => {
  let header: BackupHeader | undefined
  const end = await readBackup(file, {
    header: found => {
      header = found
      if (found.master_key !== fingerprintMasterKey(masterKey))
        refuseBackup(
          'Its secrets are sealed with another master key. Set MASTER_KEY to that key, or put its master.key into DATA_DIR.',
        )
    },
    table: () => {},
    rows: () => {},
  })
  return { header: header as BackupHeader, end }
}

/** An edited file could add a super administrator. Only the master key makes a signature. */
const checkSignature = (
  file: string,
  masterKey: Buffer,
  end: BackupEnd,
  allowsUnsigned: boolean,
): void => {
  if (end.signature === undefined) {
    if (allowsUnsigned) return
    refuseBackup(
      `${file} has no signature, so anybody could have changed it. If an earlier release made it and nobody else could write it, add --unsigned.`,
    )
  }
  if (end.signature !== signBackup(masterKey, end))
    refuseBackup(
      `${file} was changed after it was made: its signature is wrong. Use another backup.`,
    )
}

const fillTables = (writer: TableWriter, foreignTables: string[]): BackupReader => ({
  header: () => {},
  table: async ({ name, columns, lastId }) => {
    const known = await writer.columnsOf(name)
    if (known.length === 0) {
      foreignTables.push(name)
      return
    }
    const unknown = columns.find(each => !known.includes(each))
    if (unknown)
      refuseBackup(`Its table ${name} has the column ${unknown}, which no release knows.`)
    await writer.clear(name)
    if (lastId !== null) await writer.setLastId(name, lastId)
  },
  rows: async (table, rows) => {
    if (!foreignTables.includes(table.name)) await writer.insert(table, rows)
  },
})
