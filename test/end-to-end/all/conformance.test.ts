import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { callers, httpCallers } from '../../conformance/callers/index.ts'
import { documentFile, documentOf, gridFile } from '../../conformance/document.ts'
import { exceptions } from '../../conformance/exceptions/index.ts'
import { features } from '../../conformance/features/index.ts'
import { type Grid, makeGrid } from '../../conformance/grid.ts'
import { runResponseMutations } from '../../conformance/mutations/run.ts'
import { type Cell, problemsIn, runGrid } from '../../conformance/run.ts'
import { vendors } from '../../conformance/vendors/index.ts'

let cells: Cell[]
beforeAll(async () => {
  cells = await runGrid(features, callers, vendors)
})

it('every feature arrives from every client at every vendor and back, or is noted, or refused', () => {
  expect(problemsIn(cells).join('\n')).toBe('')
})

it('nothing is lost where both sides speak the same dialect', () => {
  const lost = cells
    .filter(({ caller, vendor }) => caller.dialect === vendor.dialect)
    .flatMap(({ runs }) => runs)
    .filter(({ expected }) => expected.applied.some(({ how }) => how !== 'otherwise'))
  expect(lost.map(({ feature, caller }) => `${feature.name}: ${caller.id}`)).toEqual([])
})

it('every exception is needed, and names a document', () => {
  const applied = new Set(cells.flatMap(({ runs }) => runs.flatMap(each => each.expected.applied)))
  expect(exceptions.filter(each => !applied.has(each))).toEqual([])
  for (const { source } of exceptions) expect(source).toMatch(/^https:\/\/|^packages\/.*\.md$/)
})

it('there are at least forty features, each with its own name', () => {
  expect(new Set(features.map(({ name }) => name)).size).toBe(features.length)
  expect(features.length).toBeGreaterThanOrEqual(40)
})

it('the page and the grid that is served say what was seen: else `npm run conformance`', () => {
  const seen = makeGrid(cells, new Date(0))
  expect(readFileSync(documentFile, 'utf8')).toBe(documentOf(seen))
  const served = JSON.parse(readFileSync(gridFile, 'utf8')) as Grid
  expect({ ...served, at: seen.at }).toEqual(seen)
})

it('an answer that is changed on its way turns the grid red, at least 95 times in 100', async () => {
  const mutations = await runResponseMutations(
    { seed: 1, count: 200 },
    features,
    httpCallers,
    vendors,
  )
  const lost = mutations.filter(({ isNoticed }) => !isNoticed).map(({ name }) => name)
  expect(mutations).toHaveLength(200)
  expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(10)
})
