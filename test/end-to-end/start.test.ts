import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../harness/paths.ts'
import { until } from '../harness/runner/until.ts'

/** npm passes no SIGKILL on, and the starter cannot: the server finds out by itself that they are gone. */
it.each([
  ['npm start', 'npm', ['start']],
  ['the starter', process.execPath, ['scripts/start.mjs']],
])(
  '%s prints the address and the first password, and its SIGKILL stops the server',
  async (_, command, args) => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'hub-start-'))
    const env = { ...process.env, DATA_DIR, PORT: '0', HOST: '127.0.0.1' }
    const started = spawn(command, args, { cwd: root, env })
    let output = ''
    started.stdout.on('data', chunk => {
      output += chunk
    })
    const address = await until('the server listens', () => /listening on (\S+)/.exec(output)?.[1])
    expect(output).toMatch(/`root` with the password\s+[\w-]{16}\s/)
    const isUp = () =>
      fetch(`${address}/healthz`).then(
        () => true,
        () => false,
      )
    expect(await isUp()).toBe(true)
    started.kill('SIGKILL')
    await once(started, 'exit')
    await until('the server has stopped', async () => !(await isUp()))
    rmSync(DATA_DIR, { recursive: true, force: true })
  },
)
