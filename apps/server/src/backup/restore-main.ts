import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '@hub/contract'
import pino from 'pino'
import { readDatabaseEnv, readFailpoint, readMasterKey } from '../env.ts'
import { armFailpoint } from '../lib/failpoint.ts'
import { printRestore } from './report.ts'
import { restoreBackup } from './restore.ts'

const usage = `npm run restore -- <file> [--replace]

Fills an empty database from a backup. --replace: also one that has users, whose data are lost. Stop every server
before. See docs/operations.md.
`

const main = async (args: string[]) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { replace: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  process.umask(0o077)
  armFailpoint(readFailpoint(), 'start')
  const result = await restoreBackup(resolve(file), {
    ...readDatabaseEnv(),
    masterKey: readMasterKey(),
    log: pino({ level: 'silent' }),
    replace: values.replace ?? false,
  })
  process.stdout.write(`\n${printRestore(result)}`)
}

main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`${error instanceof Fault ? error.message : (error?.stack ?? error)}\n`)
  process.exitCode = 1
})
