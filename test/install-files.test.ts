import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serverFlags } from '../scripts/lib/node.mjs'
import { root } from './harness/paths.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the image starts the bundle as npm start does, and runs as nobody', () => {
  const text = read('Dockerfile')
  for (const flag of serverFlags) expect(text).toContain(`"${flag}"`)
  expect(text).toContain('CMD ["apps/server/dist/server.mjs"]')
  expect(text).toMatch(/^USER 65532:65532$/m)
})

it('the unit starts the launcher of a release', () => {
  expect(read('deploy/one-hub.service')).toMatch(/^ExecStart=\/opt\/one-hub\/one-hub$/m)
})
