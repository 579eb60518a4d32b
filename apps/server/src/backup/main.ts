import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '@hub/contract'
import { readDatabaseEnv, readMasterKey } from '../env.ts'
import { backupFolder, backupName, fileIn } from './folder.ts'
import { printBackup } from './report.ts'
import { writeBackup } from './write.ts'

const usage = `npm run backup [-- <file or folder>]

Writes one consistent state of the database into a compressed file, also while the server runs. Without a path, the
file is made in DATA_DIR/backups. See docs/operations.md.
`

const main = async (args: string[]) => {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
  const [path, ...more] = positionals
  if (more.length > 0) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  process.umask(0o077)
  const where = readDatabaseEnv()
  const source = { ...where, masterKey: readMasterKey() }
  const now = new Date()
  const file = path
    ? resolve(fileIn(path, now))
    : join(backupFolder(where.dataDir), backupName(now))
  process.stdout.write(`\n${printBackup(await writeBackup(source, file, now))}`)
}

main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`${error instanceof Fault ? error.message : (error?.stack ?? error)}\n`)
  process.exitCode = 1
})
