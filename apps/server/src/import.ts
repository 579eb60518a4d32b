import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Fault } from '@hub/contract'
import { readEnv } from './env.ts'
import { importGateway, printReport } from './importer/index.ts'
import { armFailpoint } from './lib/failpoint.ts'
import { openApp } from './open-app.ts'

const usage = `npm run import -- <file or address> [--dry-run] [--history] [--pricing pricing.json] [--salt-key-file salt.txt]

The source is the database of another gateway: a file such as one-api.db, or an address such as
mysql://user:password@host:3306/name. It is only read. See docs/import.md.
`

const readArguments = (args: string[]) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean' },
      history: { type: 'boolean' },
      pricing: { type: 'string' },
      'salt-key-file': { type: 'string' },
    },
  })
  const pricing = values.pricing && (JSON.parse(readFileSync(values.pricing, 'utf8')) as unknown)
  // A file, because other users of the machine can read arguments.
  const saltFile = values['salt-key-file']
  const saltKey = saltFile && readFileSync(saltFile, 'utf8').trim()
  const isDryRun = values['dry-run'] ?? false
  const withHistory = values.history ?? false
  return { addresses: positionals, options: { isDryRun, withHistory, pricing, saltKey } }
}

const main = async (args: string[]) => {
  const { addresses, options } = readArguments(args)
  const [address, ...more] = addresses
  if (address === undefined || more.length > 0) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  process.umask(0o077)
  const env = readEnv()
  armFailpoint(env.failpoint, 'start')
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
}

main(process.argv.slice(2)).catch(error => {
  process.stderr.write(`${error instanceof Fault ? error.message : (error?.stack ?? error)}\n`)
  process.exitCode = 1
})
