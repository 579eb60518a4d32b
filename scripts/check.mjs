// npm run check: format, types, the lock and the architecture. Every check runs, then the failed ones are named.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

const checks = [
  ['format and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types of the server, packages and tests', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the console', 'tsc', ['-p', 'apps/console/tsconfig.json']],
  ['the lock', 'node', ['scripts/lock-check.mjs']],
  // The architecture test also runs knip: unused files, exports and dependencies.
  ['the architecture', 'vitest', ['run', '--project', 'unit', 'test/architecture.test.ts']],
]

await install()
const failed = []
for (const [name, program, rest] of checks) {
  console.log(`\n— ${name}`)
  if ((await tool(program, rest)) !== 0) failed.push(name)
}
if (failed.length) console.log(`\nNot clean: ${failed.join(', ')}.`)
else console.log('\nClean.')
process.exitCode = failed.length ? 1 : 0
