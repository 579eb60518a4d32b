import { expect, test } from 'vitest'
import { trimMalloc } from './malloc-trim.ts'

const isGlibc = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header
const hasFfi = Number.parseInt(process.versions.node, 10) >= 26

test.skipIf(!isGlibc || !hasFfi)('the C heap is trimmed where the system has glibc', async () => {
  expect(await trimMalloc()).toBe(true)
})
