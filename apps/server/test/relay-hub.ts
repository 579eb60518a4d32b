import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { startUpstream, type Upstream } from '../../../test/upstream/start.ts'
import type { Turn } from '../../../test/upstream/turn.ts'
import { openTestApp, type TestApp } from './harness.ts'
import { openPostgres, type PostgresDatabases } from './postgres.ts'

/** The soak runs tests on PostgreSQL that CI runs on SQLite only. */
const isOnPostgres = process.env.HUB_RELAY_ENGINE === 'PostgreSQL'

/** A listening gateway in this process, and a scripted vendor. */
export type RelayHub = {
  app: TestApp
  upstream: Upstream
  url: string
  key: string
  /** Adds a channel of a type for these models, at price 1 for each token. */
  addChannel(type: number, models: string, fields?: object): Promise<void>
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
}

/** Opens the hub for all tests of a file, with further variables of its environment. */
export const useRelayHub = (
  env: Record<string, string> = {},
  /** Opens the app, and closes it. Absent: an app on SQLite, or on PostgreSQL where `HUB_RELAY_ENGINE` says so. */
  open?: (more: Record<string, string>) => Promise<TestApp>,
): RelayHub => {
  const hub = {} as RelayHub
  const priced = new Set<string>()
  let postgres: PostgresDatabases | undefined
  beforeAll(async () => {
    const key = `sk-${randomBytes(24).toString('hex')}`.slice(0, 46)
    hub.key = key
    hub.upstream = await startUpstream()
    const variables = { INITIAL_ROOT_TOKEN: key, ...env }
    if (!open && isOnPostgres) postgres = await openPostgres()
    const openAlone = async () => openTestApp(await postgres?.migrated('relay'), variables)
    hub.app = await (open ? open(variables) : openAlone())
    hub.url = `http://127.0.0.1:${await hub.app.listen()}`
    await succeed(hub.app.root.put('/api/user_group/', { id: 1, api_rate: 1_000_000 }))
    await succeed(hub.app.root.put('/api/option/', { key: 'RetryCooldownSeconds', value: '0' }))
    // The clock of a test stands still.
    await succeed(hub.app.root.put('/api/option/', { key: 'TaskPollsPerSecond', value: '0' }))
  })
  afterAll(async () => {
    if (!open) await hub.app?.close(1)
    await postgres?.stop()
    await hub.upstream?.close()
  })
  hub.addChannel = async (type, models, fields = {}) => {
    const { app, upstream } = hub
    const channel = { type, name: models, models, key: 'vendor-key', group: 'default', ...fields }
    await succeed(app.root.post('/api/channel/', { base_url: `${upstream.url}/a`, ...channel }))
    for (const model of models.split(',').filter(each => !priced.has(each))) {
      priced.add(model)
      const price = { model, type: 'tokens', input: 1, output: 1 }
      const added = await app.root.post('/api/prices/single', price)
      // Models with a default price have it replaced.
      if (added.status === 409)
        await succeed(app.root.put(`/api/prices/single/${model}`, { ...price, locked: true }))
      else succeedWith(added)
    }
  }
  hub.post = (path, body, headers = {}) =>
    fetch(`${hub.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${hub.key}`,
        'x-goog-api-key': hub.key,
        ...headers,
      },
      body: JSON.stringify(body),
    })
  return hub
}

type Answer = Awaited<ReturnType<TestApp['root']['get']>>

const succeed = async (work: Promise<Answer>): Promise<void> => succeedWith(await work)

const succeedWith = ({ status, text, body }: Answer): void => {
  if (status !== 200 || body?.success === false) throw new TypeError(`${status} ${text}`)
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects.
export type Json = any

/** The body that the vendor received. */
export const receivedBody = ({ served }: Turn): Json => JSON.parse(String(served.body))

export const answerJson = ({ response }: Turn, body: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/** Answers a stream of server-sent events; a frame with a `type` has it as the name of its event. */
export const answerStream = ({ response }: Turn, frames: readonly unknown[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const each of frames) {
    const type = (each as Json).type
    response.write(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(each)}\n\n`)
  }
  response.end()
}

/** The decoded frames of a streamed answer, without OpenAI's end marker. */
export const framesOf = (text: string): Json[] =>
  [...text.matchAll(/^data: (.*)$/gm)]
    .map(([, data]) => data!)
    .filter(data => data !== '[DONE]')
    .map(data => JSON.parse(data))
