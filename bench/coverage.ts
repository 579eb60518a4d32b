// npx node bench/coverage.ts: counts our files and functions that one warm call executes on the main thread, by V8's precise
// coverage, for three calls. `--list` names them. Fails where a call passes more files than it may.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { engines } from '../test/harness/engines.ts'
import { root } from '../test/harness/paths.ts'
import { startTestHub, type TestHub } from '../test/harness/test-hub.ts'

type FunctionCoverage = { functionName: string; ranges: { count: number }[] }
type ScriptCoverage = { url: string; functions: FunctionCoverage[] }
type ExecutedFile = { path: string; names: string[] }

const warmCalls = 300

/** The calls, and the most files that each may pass. A bound is lowered when the path got shorter, and raised for a reason only. */
const calls = [
  { name: 'chat, whole', path: '/v1/chat/completions', stream: false, filesMax: 118 },
  { name: 'chat, streamed', path: '/v1/chat/completions', stream: true, filesMax: 135 },
  { name: 'translated, streamed', path: '/v1/messages', stream: true, filesMax: 180 },
] as const

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

type Inspector = Awaited<ReturnType<typeof connect>>

/** Lists the functions that the call executes in our files. Taking the coverage resets its counters. */
const executedBy = async (
  inspector: Inspector,
  call: () => Promise<void>,
): Promise<ExecutedFile[]> => {
  for (let n = 0; n < warmCalls; n += 1) await call()
  await inspector.request('Profiler.takePreciseCoverage')
  await call()
  const { result } = await inspector.request<{ result: ScriptCoverage[] }>(
    'Profiler.takePreciseCoverage',
  )
  return result
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .map(({ url, functions }) => ({
      path: relative(root, fileURLToPath(url)),
      names: functions
        .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
        .map(({ functionName }) => functionName || '(anonymous)'),
    }))
    .filter(({ names }) => names.length > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

const caller = async ({ admin, gateway }: TestHub) => {
  const { key } = await admin.addPerson(1_000_000_000)
  return async ({ path, stream }: (typeof calls)[number]) => {
    const answer = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: 'any:play=chat', stream, max_tokens: 100 },
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
  }
}

const hub = await startTestHub(engines[0]!, { nodeArguments: ['--inspect=127.0.0.1:0'] })
try {
  const send = await caller(hub)
  const inspectorUrl = /ws:\/\/127\.0\.0\.1:\d+\/\S+/.exec(hub.gateway.output())?.[0]
  if (!inspectorUrl) throw new Error('the gateway printed no inspector address')
  const inspector = await connect(inspectorUrl)
  await inspector.request('Profiler.enable')
  await inspector.request('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const call of calls) {
    const executed = await executedBy(inspector, () => send(call))
    if (process.argv.includes('--list'))
      for (const { path, names } of executed) console.log(`${path}: ${names.join(', ')}`)
    const functions = executed.reduce((sum, { names }) => sum + names.length, 0)
    console.log(`${call.name}: ${executed.length} files, ${functions} functions`)
    if (executed.length <= call.filesMax) continue
    console.log(`${call.name}: more than ${call.filesMax} files`)
    process.exitCode = 1
  }
  inspector.close()
} finally {
  await hub.close()
}
