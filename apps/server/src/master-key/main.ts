import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import pino from 'pino'
import { isServed } from '../db/engines/backup.ts'
import { openStore } from '../db/open.ts'
import { readDatabaseEnv, readFailpoint, readMasterKey, readNewMasterKey } from '../env.ts'
import { serverPrograms } from '../lib/command-line/programs.mjs'
import { confirmDestruction, runProgram } from '../lib/command-line/run.ts'
import { armFailpoint } from '../lib/failpoint.ts'
import { prepareKeyFile, swapKeyFiles } from './key-files.ts'
import { type Rotation, rotateMasterKey } from './rotate.ts'

const print = ({ sealed, skipped, unopened }: Rotation): string => {
  const lines = [
    `${sealed} secrets are sealed with the new master key${skipped ? `, and ${skipped} were before` : ''}.`,
    ...unopened.map(each => `The value ${each} opens with neither key, and stays as it is.`),
  ]
  return `${lines.join('\n')}\n`
}

const next = (kept: string | undefined, newFile: string | undefined): string => {
  if (kept)
    return `The new key is master.key. The old one is ${kept}: earlier backups need it. Copy the new one to every node.\n`
  return newFile
    ? `Set MASTER_KEY to the content of ${newFile}, then delete that file. Earlier backups need the old key.\n`
    : 'Set MASTER_KEY to the value of NEW_MASTER_KEY. Earlier backups need the old key.\n'
}

await runProgram(serverPrograms['rotate-master-key'], async line => {
  process.umask(0o077)
  armFailpoint(readFailpoint(), 'start')
  const where = readDatabaseEnv()
  if (!where.databaseUrl && !existsSync(join(where.dataDir, 'hub.db')))
    throw new Fault('env.invalid', {
      hint: `There is no database in ${where.dataDir}. Set DATA_DIR or DATABASE_URL as for the server.`,
    })
  const oldKey = readMasterKey()
  const { given, file, newFile, read } = readNewMasterKey()
  if (await isServed(where))
    throw new Fault('env.invalid', {
      hint: 'A server is connected to this database. Stop every node.',
    })
  await confirmDestruction(
    line,
    'Every secret of the database will be sealed with another master key, which earlier backups do not open.',
  )
  const store = await openStore({ ...where, log: pino({ level: 'silent' }) })
  try {
    if (newFile) prepareKeyFile(where.dataDir, newFile, given)
    const rotation = await rotateMasterKey(store.db, { oldKey, newKey: read() })
    const kept = file && newFile ? swapKeyFiles(where.dataDir, file, newFile) : undefined
    process.stdout.write(`\n${print(rotation)}${next(kept, newFile)}`)
    if (rotation.unopened.length > 0) process.exitCode = 1
  } finally {
    await store.close()
  }
})
