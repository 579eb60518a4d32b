import { join, resolve } from 'node:path'
import { readDatabaseEnv, readMasterKey } from '../env.ts'
import { serverPrograms } from '../lib/command-line/programs.mjs'
import { runProgram } from '../lib/command-line/run.ts'
import { backupFolder, backupName, fileIn } from './folder.ts'
import { printBackup } from './report.ts'
import { writeBackup } from './write.ts'

await runProgram(serverPrograms.backup, async ({ words: [path] }) => {
  process.umask(0o077)
  const where = readDatabaseEnv()
  const source = { ...where, masterKey: readMasterKey() }
  const now = new Date()
  const file = path
    ? resolve(fileIn(path, now))
    : join(backupFolder(where.dataDir), backupName(now))
  process.stdout.write(`\n${printBackup(await writeBackup(source, file, now))}`)
})
