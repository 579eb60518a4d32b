import { AsyncLocalStorage } from 'node:async_hooks'
import { buildApp, type RunningApp } from '../../apps/server/src/app.ts'
import type { App } from '../../apps/server/src/core/app.ts'
import { readEnv } from '../../apps/server/src/env.ts'

export type Where = {
  dataDir: string
  databaseUrl: string | undefined
  rootPassword: string
  accessToken: string
  vendorUrl: string
}

/** Unix seconds while a fill runs; undefined: the time is now. */
export type SharedClock = { seconds: number | undefined }

export type FillHub = {
  app: App
  url: string
  /** Moves the clock of the gateway. Seconds. */
  setNow(seconds: number): void
  now(): number
  /** Runs work at a time of its own, next to other work. */
  at<T>(seconds: number, work: () => Promise<T>): Promise<T>
  /** A call of the admin API as the root user. */
  api<T>(method: string, path: string, body?: unknown): Promise<T>
  /** A call of the admin API as another user. */
  apiAs<T>(cookie: string, method: string, path: string, body?: unknown): Promise<T>
  signIn(username: string, password: string, ip: string): Promise<string>
  close(): Promise<void>
}

type Session = { cookie?: string; bearer?: string; ip: string }

const agent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36'

const ask = async (url: string, session: Session, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'user-agent': agent,
      'x-forwarded-for': session.ip,
      origin: url,
      ...(session.cookie && { cookie: session.cookie }),
      ...(session.bearer && { authorization: `Bearer ${session.bearer}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const received = text.startsWith('{') ? JSON.parse(text) : { success: false, message: text }
  if (!received.success)
    throw new Error(
      `${method} ${path}: ${response.status} ${received.code ?? ''} ${received.message}`,
    )
  return { data: received.data, headers: response.headers }
}

const cookiesOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map(each => each.split(';')[0])
    .join('; ')

/** An office of the operator's; the others are documentation addresses too. */
const rootAddress = '198.51.100.7'

/** A gateway in this process whose clock is moved by hand. No job runs by itself. */
export const openFillHub = async (
  where: Where,
  startSeconds: number,
  clock: SharedClock,
): Promise<FillHub> => {
  const env = readEnv({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: where.dataDir,
    LOG_LEVEL: 'error',
    LANGUAGE: 'en_US',
    TRUSTED_PROXIES: '127.0.0.1',
    FETCH_PRIVATE_RANGES: '127.0.0.0/8',
    FETCH_PORTS: new URL(where.vendorUrl).port,
    INITIAL_ROOT_PASSWORD: where.rootPassword,
    INITIAL_ROOT_ACCESS_TOKEN: where.accessToken,
    ...(where.databaseUrl && { DATABASE_URL: where.databaseUrl }),
  })
  const ownTime = new AsyncLocalStorage<number>()
  clock.seconds = startSeconds
  const seconds = () => clock.seconds ?? startSeconds
  const running: RunningApp = await buildApp(env, {
    now: () => ownTime.getStore() ?? seconds() * 1_000,
    jobs: [],
  })
  const url = `http://127.0.0.1:${await running.listen()}`
  const root = { bearer: where.accessToken, ip: rootAddress }
  return {
    app: running.app,
    url,
    setNow: to => {
      clock.seconds = Math.max(seconds(), to)
    },
    now: seconds,
    at: (time, work) => ownTime.run(time * 1_000, work),
    api: async (method, path, body) => (await ask(url, root, method, path, body)).data,
    apiAs: async (cookie, method, path, body) =>
      (await ask(url, { cookie, ip: rootAddress }, method, path, body)).data,
    signIn: async (username, password, ip) => {
      const credentials = { username, password }
      return cookiesOf((await ask(url, { ip }, 'POST', '/api/user/login', credentials)).headers)
    },
    close: async () => {
      await running.close(5)
      clock.seconds = undefined
    },
  }
}
