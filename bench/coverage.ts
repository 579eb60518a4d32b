// node bench/coverage.ts: counts our files and functions that a warm pass-through chat executes on the main thread, by V8's
// precise coverage. `--list` names them.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engines } from '../test/harness/engines.ts'
import { root } from '../test/harness/paths.ts'
import { startTestHub } from '../test/harness/test-hub.ts'

type FunctionCoverage = { functionName: string; ranges: { count: number }[] }
type ScriptCoverage = { url: string; functions: FunctionCoverage[] }

const warmCalls = 300

/** A client of Node's inspector: one request at a time. */
const connect = async (url: string) => {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  let lastId = 0
  return {
    request: <T>(method: string, params: object = {}) =>
      new Promise<T>(resolve => {
        const id = ++lastId
        const onMessage = ({ data }: MessageEvent) => {
          const message = JSON.parse(String(data)) as { id?: number; result?: T }
          if (message.id !== id) return
          socket.removeEventListener('message', onMessage)
          resolve(message.result as T)
        }
        socket.addEventListener('message', onMessage)
        socket.send(JSON.stringify({ id, method, params }))
      }),
    close: () => socket.close(),
  }
}

const hub = await startTestHub(engines[0]!, { nodeArguments: ['--inspect=127.0.0.1:0'] })
try {
  const person = await hub.admin.addPerson(1_000_000_000)
  const chat = () => hub.ask({ key: person.key, model: 'any:play=chat' })
  const inspectorUrl = /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(hub.gateway.output())?.[0]
  if (!inspectorUrl) throw new Error('the gateway printed no inspector address')
  const inspector = await connect(inspectorUrl)
  await inspector.request('Profiler.enable')
  await inspector.request('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (let call = 0; call < warmCalls; call += 1) await chat()
  // Taking the coverage resets its counters.
  await inspector.request('Profiler.takePreciseCoverage')
  await chat()
  const { result } = await inspector.request<{ result: ScriptCoverage[] }>(
    'Profiler.takePreciseCoverage',
  )
  inspector.close()

  const executed = result
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .map(({ url, functions }) => ({
      path: relative(root, fileURLToPath(url)),
      names: functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName || '(anonymous)'),
    }))
    .filter(({ names }) => names.length > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  if (process.argv.includes('--list'))
    for (const { path, names } of executed) console.log(`${path}: ${names.join(', ')}`)
  const functions = executed.reduce((sum, { names }) => sum + names.length, 0)
  console.log(`${executed.length} files, ${functions} functions`)
} finally {
  await hub.close()
}
