import { expect, test } from 'vitest'
import { trimMalloc, tuneMalloc } from './malloc.ts'

const isGlibc = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header
const hasFfi = Number.parseInt(process.versions.node, 10) >= 26

test.skipIf(!isGlibc || !hasFfi)(
  'the C heap is trimmed, and tuned, where the system has glibc',
  async () => {
    expect([await trimMalloc(), await tuneMalloc()]).toEqual([true, true])
  },
)
