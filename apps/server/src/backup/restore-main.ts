import { resolve } from 'node:path'
import pino from 'pino'
import { readDatabaseEnv, readFailpoint, readMasterKey } from '../env.ts'
import { serverPrograms } from '../lib/command-line/programs.mjs'
import { confirmDestruction, runProgram } from '../lib/command-line/run.ts'
import { armFailpoint } from '../lib/failpoint.ts'
import { printRestore } from './report.ts'
import { restoreBackup } from './restore.ts'

await runProgram(serverPrograms.restore, async line => {
  process.umask(0o077)
  armFailpoint(readFailpoint(), 'start')
  const result = await restoreBackup(resolve(line.words[0] ?? ''), {
    ...readDatabaseEnv(),
    masterKey: readMasterKey(),
    log: pino({ level: 'silent' }),
    allowsUnsigned: line.flag('unsigned'),
    confirmReplace: loss => confirmDestruction(line, loss),
  })
  process.stdout.write(`\n${printRestore(result)}`)
})
