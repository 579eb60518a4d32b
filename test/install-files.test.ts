import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { serverFlags } from '../scripts/lib/node.mjs'
import { root } from './harness/paths.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('the image and the unit start the server as npm start does', () => {
  for (const file of ['Dockerfile', 'deploy/one-hub.service'])
    for (const flag of serverFlags) expect([file, read(file).includes(flag)]).toEqual([file, true])
})

it('the image copies folders that exist, and runs as nobody', () => {
  const text = read('Dockerfile')
  const copied = [...text.matchAll(/^COPY --from=build \/app\/(\S+)/gm)].map(match => match[1]!)
  expect(copied.length).toBeGreaterThan(3)
  for (const each of copied.filter(path => path !== 'apps/console/dist'))
    expect([each, existsSync(join(root, each))]).toEqual([each, true])
  const workspaces = [...text.matchAll(/--workspace (\S+)/g)].map(match => match[1]!)
  for (const each of workspaces) expect(existsSync(join(root, each, 'package.json'))).toBe(true)
  expect(text).toMatch(/^USER 65532:65532$/m)
})
