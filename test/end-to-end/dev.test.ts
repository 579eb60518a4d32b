import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { freePort, type OpenDatabase, openDatabase } from '../harness/engines.ts'
import { copyProject } from '../harness/process/project-copy.ts'
import { treeOf } from '../harness/process/stats.ts'
import { describeEachEngine } from '../harness/runner/describe-engines.ts'
import { until } from '../harness/runner/until.ts'

let folder: string
let project: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-dev-'))
  project = copyProject(folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const edit = (path: string, before: string, after: string): void => {
  const file = join(project, path)
  const source = readFileSync(file, 'utf8')
  expect(source).toContain(before)
  writeFileSync(file, source.replace(before, after))
}

const textOf = (url: string): Promise<string | undefined> =>
  fetch(url).then(
    async response => (response.ok ? response.text() : undefined),
    () => undefined,
  )

type Update = { type: string; updates?: { path: string }[] }

/** The paths of modules that a page in a browser is told to replace. */
const openUpdates = async (consoleUrl: string): Promise<{ paths: string[]; close(): void }> => {
  const paths: string[] = []
  const socket = new WebSocket(consoleUrl.replace('http', 'ws'), 'vite-hmr')
  socket.addEventListener('message', ({ data }) => {
    const { updates = [] } = JSON.parse(data as string) as Update
    paths.push(...updates.map(each => each.path))
  })
  await once(socket, 'open')
  return { paths, close: () => socket.close() }
}

describeEachEngine(engine => {
  let database: OpenDatabase
  let dataDir: string
  let started: ChildProcess
  let output = ''
  let tree: number[] = []

  afterEach(async () => {
    for (const pid of tree) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended, as it should.
      }
    }
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const start = async (): Promise<{ serverUrl: string; consoleUrl: string }> => {
    database = await openDatabase(engine)
    dataDir = mkdtempSync(join(tmpdir(), 'hub-dev-data-'))
    const [port, consolePort] = [await freePort(), await freePort()]
    output = ''
    started = spawn(process.execPath, ['scripts/dev.mjs'], {
      cwd: project,
      env: {
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        PORT: String(port),
        HOST: '127.0.0.1',
        CONSOLE_PORT: String(consolePort),
        ...(database.url && { DATABASE_URL: database.url }),
      },
    })
    for (const stream of [started.stdout, started.stderr])
      stream?.on('data', chunk => {
        output += chunk
      })
    return {
      serverUrl: `http://127.0.0.1:${port}`,
      consoleUrl: `http://localhost:${consolePort}`,
    }
  }

  const untilSeen = (what: string, look: () => Promise<unknown>) =>
    until(what, look).catch(error => {
      throw new Error(`${error.message}\n${output}`)
    })

  it('npm run dev shows changes of the server and of a page without a restart by hand', async () => {
    const { serverUrl, consoleUrl } = await start()
    await untilSeen('the server runs', async () => (await textOf(`${serverUrl}/healthz`)) === 'ok')
    await untilSeen('the console passes calls on to the server', async () =>
      (await textOf(`${consoleUrl}/api/status`))?.includes('"success":true'),
    )

    edit('apps/server/src/http/monitoring/routes.ts', `send('ok')`, `send('changed')`)
    await untilSeen(
      'the changed server runs',
      async () => (await textOf(`${serverUrl}/healthz`)) === 'changed',
    )
    expect(await textOf(`${consoleUrl}/api/status`)).toContain('"success":true')

    const page = '/src/features/tokens/page.tsx'
    await untilSeen('the page is served', async () =>
      (await textOf(`${consoleUrl}${page}`))?.includes('tokens.intro'),
    )
    const updates = await openUpdates(consoleUrl)
    edit(`apps/console${page}`, `t('tokens.intro')`, `t('tokens.changed')`)
    await untilSeen('the browser hears of the page', async () => updates.paths.includes(page))
    expect(await textOf(`${consoleUrl}${page}`)).toContain('tokens.changed')
    updates.close()

    edit('apps/server/src/http/monitoring/routes.ts', `send('changed')`, `send('ok')`)
    edit(`apps/console${page}`, `t('tokens.changed')`, `t('tokens.intro')`)
    tree = treeOf(started.pid as number)
    started.kill('SIGTERM')
    await once(started, 'exit')
    await untilSeen('server and console have stopped', async () =>
      (await Promise.all([serverUrl, consoleUrl].map(textOf))).every(each => each === undefined),
    )
  })
})
