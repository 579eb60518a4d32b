import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { emptyStore, isEmptyStore } from './db/restore.ts'
import { type Env, readEnv } from './env.ts'
import { checkSource, type ImportOptions, importGateway, printReport } from './importer/index.ts'
import { serverPrograms } from './lib/command-line/programs.mjs'
import type { CommandLine } from './lib/command-line/read.mjs'
import { confirmDestruction, runProgram } from './lib/command-line/run.ts'
import { armFailpoint } from './lib/failpoint.ts'
import { openApp } from './open-app.ts'

const readOptions = (line: CommandLine): ImportOptions => {
  const pricing = line.text('pricing')
  // A file, because other users of the machine can read arguments.
  const saltFile = line.text('salt-key-file')
  return {
    isDryRun: line.flag('dry-run'),
    withHistory: line.flag('history'),
    pricing: pricing && (JSON.parse(readFileSync(pricing, 'utf8')) as unknown),
    saltKey: saltFile ? readFileSync(saltFile, 'utf8').trim() : undefined,
  }
}

/** An import needs an empty database. One that has users is emptied if the operator agrees. */
const replaceUsed = async (line: CommandLine, env: Env) => {
  if (await isEmptyStore(env)) return
  const confirmReplace = (loss: string) => confirmDestruction(line, loss)
  const { kept } = await emptyStore({ ...env, log: pino({ level: 'silent' }), confirmReplace })
  if (kept) process.stdout.write(`The earlier database is kept as ${kept}.\n`)
}

await runProgram(serverPrograms.import, async line => {
  const [address = ''] = line.words
  const options = readOptions(line)
  process.umask(0o077)
  const env = readEnv()
  armFailpoint(env.failpoint, 'start')
  // A source that cannot be read must not cost the data of this database.
  await checkSource(address)
  if (!options.isDryRun) await replaceUsed(line, env)
  const { app, closeStores } = await openApp(env)
  try {
    const report = await importGateway(app, address, options)
    process.stdout.write(`\n${printReport(report)}`)
    const file = join(env.dataDir, 'import-report.json')
    writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 })
    process.stdout.write(`\nThe report is in ${file} too.\n`)
  } finally {
    await closeStores()
  }
})
