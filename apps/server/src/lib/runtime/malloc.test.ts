import { expect, test } from 'vitest'
import { returnLargeBlocks, trimMalloc } from './malloc.ts'

const isGlibc = 'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header
const hasFfi = Number.parseInt(process.versions.node, 10) >= 26

// Other C libraries have no such functions, and Node has had `node:ffi` since 26. CI has both.
test.skipIf(!isGlibc || !hasFfi)(
  'the C heap is trimmed, and large blocks are returned, where the system has glibc',
  async () => {
    expect([await trimMalloc(), await returnLargeBlocks()]).toEqual([true, true])
  },
)
