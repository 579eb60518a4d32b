import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { node, root } from '../../test/harness/paths.ts'
import { until } from '../../test/harness/runner/until.ts'

const parent = `
  import { become } from ${JSON.stringify(join(root, 'scripts/lib/node.mjs'))}
  await become(process.execPath, ['apps/server/src/main.ts'])
`

it('a server stops when the program that started it is killed', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'hub-become-'))
  const env = { ...process.env, DATA_DIR, PORT: '0', HOST: '127.0.0.1' }
  const child = spawn(node, ['--input-type=module', '--eval', parent], { cwd: root, env })
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  const address = () => /listening on (\S+)/.exec(output)?.[1]
  await until('the server listens', () => address() !== undefined)
  const isUp = () =>
    fetch(`${address()}/healthz`).then(
      () => true,
      () => false,
    )
  expect(await isUp()).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until('the server has stopped', async () => !(await isUp()))
  rmSync(DATA_DIR, { recursive: true, force: true })
})
