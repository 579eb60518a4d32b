// npm run check: format, types, the lock and the architecture. All checks run at once, then the failed ones are named.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { installWithTests } from './lib/installed.mjs'
import { programs } from './lib/programs.mjs'
import { tool } from './lib/tool.mjs'

const checks = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types of the server, packages and tests', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the console', 'tsc', ['-p', 'apps/console/tsconfig.json']],
  ['the lock', 'node', ['scripts/lib/lock-check.mjs']],
  // The architecture test also runs knip: unused files, exports and dependencies.
  ['the architecture', 'vitest', ['run', '--project', 'unit', 'test/architecture.test.ts']],
]

readCommandLine(programs.check)
await installWithTests()
const folder = mkdtempSync(join(tmpdir(), 'hub-check-'))

/** Prints the whole output at the end, so that checks that run at once do not mix their lines. */
const check = async ([name, program, rest], at) => {
  const file = join(folder, String(at))
  const output = openSync(file, 'w')
  const code = await tool(program, rest, {}, { stdio: ['ignore', output, output] })
  closeSync(output)
  process.stdout.write(`\n— ${name}\n${readFileSync(file, 'utf8')}`)
  return code === 0 ? [] : [name]
}

const failed = (await Promise.all(checks.map(check))).flat()
rmSync(folder, { recursive: true, force: true })
if (failed.length) console.log(`\nNot clean: ${failed.join(', ')}.`)
else console.log('\nClean.')
process.exitCode = failed.length ? 1 : 0
