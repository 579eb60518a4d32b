import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe } from 'vitest'
import { buildApp, type RunningApp } from '../src/app.ts'
import * as options from '../src/db/queries/options.ts'
import { readEnv } from '../src/env.ts'
import { copyMigrated } from './migrated.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from './postgres.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD' | 'OPTIONS'

export type TestResponse = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  /** The parsed body, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects.
  body: any
}

/** A client that sends requests as a browser or script would, including cookies and origin. */
export type TestClient = {
  send(
    method: Method,
    url: string,
    body?: unknown,
    more?: Partial<InjectOptions>,
  ): Promise<TestResponse>
  get(url: string): Promise<TestResponse>
  post(url: string, body?: unknown): Promise<TestResponse>
  put(url: string, body?: unknown): Promise<TestResponse>
  delete(url: string, body?: unknown): Promise<TestResponse>
  /** Signs in and stores the session cookie in this client. */
  signIn(username: string, password: string): Promise<TestResponse>
  cookie(): string
}

export type TestUser = TestClient & { id: number; username: string; password: string }

export type TestApp = RunningApp & {
  /** The current time of the app in milliseconds. */
  clock: { now: number }
  rootPassword: string
  accessToken: string
  guest(more?: { ip?: string; headers?: Record<string, string> }): TestClient
  /** The root user by access token: no cookie, no origin. */
  root: TestClient
  /** Creates a user of a role, signed in, with a changed password. */
  person(role?: 1 | 10, more?: object): Promise<TestUser>
}

let addresses = 0
const nextAddress = () => {
  addresses += 1
  return `198.18.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`
}

/** Opens an app with its own database. Requests are injected without a socket. No job runs by itself. */
export const openTestApp = async (
  databaseUrl: string | undefined,
  more: Record<string, string> = {},
): Promise<TestApp> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hub-app-'))
  const rootPassword = randomBytes(9).toString('hex')
  const accessToken = randomBytes(24).toString('hex')
  const clock = { now: Date.now() }
  const env = readEnv({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    INITIAL_ROOT_PASSWORD: rootPassword,
    INITIAL_ROOT_ACCESS_TOKEN: accessToken,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...more,
  })
  if (!databaseUrl) copyMigrated(dataDir)
  const running = await buildApp(env, { now: () => clock.now, jobs: [] })
  await startLocalTrial(running)

  const guest: TestApp['guest'] = ({ ip = nextAddress(), headers = {} } = {}) =>
    makeVisitor(running, ip, headers)
  const root = guest({ headers: { authorization: `Bearer ${accessToken}` } })

  const person: TestApp['person'] = async (role = 1, fields = {}) => {
    const username = `u${randomBytes(6).toString('hex')}`
    const [first, password] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')]
    const made = await root.post('/api/user/', { username, password: first, role, ...fields })
    if (made.status !== 200) throw new TypeError(`no user: ${made.text}`)
    const visitor = guest()
    await visitor.signIn(username, first)
    const changed = await visitor.put('/api/user/self', { password, current_password: first })
    if (changed.status !== 200) throw new TypeError(`no password: ${changed.text}`)
    return { ...visitor, id: made.body.data.id, username, password }
  }

  const close = async () => {
    await running.close(1)
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { ...running, clock, rootPassword, accessToken, guest, root, person, close }
}

/** The site of most tests has the address of a developer's machine, at which everything may be turned on. */
const startLocalTrial = async ({ app }: RunningApp): Promise<void> => {
  await options.write(app.db, 'ServerAddress', 'http://localhost:3000')
  await options.write(app.db, 'LocalTrialEnabled', 'true')
  await app.reloadSettings()
}

const makeVisitor = (
  { fastify }: RunningApp,
  ip: string,
  headers: Record<string, string>,
): TestClient => {
  const cookies = new Map<string, string>()
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  const send: TestClient['send'] = async (method, url, body, more = {}) => {
    const response = await fastify.inject({
      method,
      url,
      remoteAddress: ip,
      ...(body !== undefined && { payload: body as object }),
      ...more,
      headers: {
        host: 'hub.example',
        ...(cookies.size > 0 && { cookie: cookie(), origin: 'http://hub.example' }),
        ...headers,
        ...more.headers,
      },
    })
    for (const { name, value } of response.cookies)
      if (value) cookies.set(name, value)
      else cookies.delete(name)
    const isJson = String(response.headers['content-type']).includes('json')
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      body: isJson && response.payload ? JSON.parse(response.payload) : undefined,
    }
  }
  return {
    send,
    cookie,
    get: url => send('GET', url),
    post: (url, body) => send('POST', url, body),
    put: (url, body) => send('PUT', url, body),
    delete: (url, body) => send('DELETE', url, body),
    signIn: (username, password) => send('POST', '/api/user/login', { username, password }),
  }
}

type Suite = (
  open: (more?: Record<string, string>) => Promise<TestApp>,
  engine: 'SQLite' | 'PostgreSQL',
) => void

/** Runs the suite on SQLite and, with ENGINES=all or in CI, on PostgreSQL. Skipped suites name the reason. */
export const onBothEngines = (title: string, suite: Suite): void => {
  describe(`${title} (SQLite)`, () => suite(opener(undefined), 'SQLite'))
  const skipReason = postgresSkipReason()
  if (skipReason) {
    describe.skip(`${title} (PostgreSQL skipped: ${skipReason})`, () =>
      suite(opener(undefined), 'PostgreSQL'))
    return
  }
  describe(`${title} (PostgreSQL)`, () => suite(opener(openPostgres), 'PostgreSQL'))
}

/**
 * Runs the suite on SQLite, and in `npm run test:long` on PostgreSQL too: for rules that neither move money nor depend on
 * more than plain statements.
 */
export const onBothEnginesInLongRuns = (title: string, suite: Suite): void =>
  process.env.HUB_EVERY_ENGINE ? onBothEngines(title, suite) : onOneEngine(title, suite)

/** Runs the suite on SQLite only, for behaviour that no query affects. */
export const onOneEngine = (title: string, suite: Suite): void => {
  describe(title, () => suite(opener(undefined), 'SQLite'))
}

const opener = (start: (() => Promise<PostgresDatabases>) | undefined) => {
  const opened: TestApp[] = []
  let postgres: PostgresDatabases | undefined
  beforeAll(async () => {
    postgres = await start?.()
  })
  afterAll(async () => {
    for (const each of opened) await each.close(1)
    await postgres?.stop()
  })
  return async (more?: Record<string, string>) => {
    const url = await postgres?.migrated(`app_${opened.length + 1}`)
    const app = await openTestApp(url, more)
    opened.push(app)
    return app
  }
}
