// The programs of the server, such as `npm run backup`: reads the arguments before anything is installed.
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { install } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

const files = {
  audit: 'auditor/main',
  backup: 'backup/main',
  doctor: 'doctor/main',
  import: 'import',
  'reset-password': 'reset-password',
  restore: 'backup/restore-main',
  'rotate-master-key': 'master-key/main',
}

const [name, ...args] = process.argv.slice(2)
readCommandLine(programs[name], args)

await install()
process.exitCode = await tool('node', [`apps/server/src/${files[name]}.ts`, ...args])
