import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { callers } from './callers/index.ts'
import { documentFile, documentOf, gridFile } from './document.ts'
import { features } from './features/index.ts'
import { makeGrid } from './grid.ts'
import { problemsIn, runGrid } from './run.ts'
import { vendors } from './vendors/index.ts'

// Patterns of features, callers and upstreams run a part of it, which is written nowhere.
const [feature, caller, upstream] = process.argv.slice(2).map(each => new RegExp(each))
const isWhole = feature === undefined

const parts = [
  features.filter(each => feature?.test(each.name) ?? true),
  callers.filter(each => caller?.test(each.id) ?? true),
  vendors.filter(each => upstream?.test(each.dialect) ?? true),
] as const
const empty = ['feature', 'caller', 'upstream'].find((_, index) => parts[index]?.length === 0)
if (empty !== undefined) {
  console.error(`The pattern of the ${empty} matches none of them.`)
  process.exit(2)
}

const since = Date.now()
const cells = await runGrid(...parts)
const problems = problemsIn(cells)
for (const problem of problems) console.log(problem)

const grid = makeGrid(cells, new Date())
const { ok, note, refused } = grid.counts
const seconds = Math.round((Date.now() - since) / 1000)
console.log(`${ok} arrive, ${note} are noted, ${refused} are refused; ${seconds} s.`)
if (problems.length > 0) console.log(`${problems.length} trials are not as they should be.`)
else if (isWhole) {
  mkdirSync(dirname(gridFile), { recursive: true })
  writeFileSync(gridFile, `${JSON.stringify(grid)}\n`)
  writeFileSync(documentFile, documentOf(grid))
}
process.exitCode = problems.length > 0 ? 1 : 0
