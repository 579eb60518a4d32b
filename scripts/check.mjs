// npm run check: form, types, the lock and the house. Everything runs, then everything that failed is named.
import { install } from './lib/installed.mjs'
import { tool } from './lib/tool.mjs'

const checks = [
  ['form and lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['types of the server, packages and tests', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the console', 'tsc', ['-p', 'apps/console/tsconfig.json']],
  ['the lock', 'node', ['scripts/lock-check.mjs']],
  // Its last check but one is knip: unused files, exports and dependencies.
  ['the house', 'vitest', ['run', '--project', 'unit', 'test/house.test.ts']],
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
