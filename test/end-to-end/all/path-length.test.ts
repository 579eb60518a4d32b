import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { node, root } from '../../harness/paths.ts'

it('a call passes no more files of ours than the bounds of bench/coverage.ts allow', async () => {
  // The files of the sources are counted, not those of the bundle.
  const { HUB_BUNDLE: _, ...env } = process.env
  const { stdout } = await promisify(execFile)(node, [join(root, 'bench/coverage.ts')], { env })
  console.log(stdout)
  expect(stdout.match(/^.+: \d+ files, \d+ functions$/gm)).toHaveLength(3)
})
