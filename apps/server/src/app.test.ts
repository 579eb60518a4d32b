import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { describeInRedis } from '../test/redis.ts'
import { makeTempFolder } from '../test/temp-folder.ts'
import { buildApp } from './app.ts'
import { defineJob } from './core/define-job.ts'
import { readEnv } from './env.ts'
import { sha256 } from './lib/random.ts'

const place = (more: Record<string, string> = {}) => ({
  DATA_DIR: makeTempFolder(),
  LOG_LEVEL: 'silent',
  PORT: '0',
  HOST: '127.0.0.1',
  ...more,
})

const collectPasswords = () => {
  const shown: string[] = []
  const announceFirstPassword = (password: string) => void shown.push(password)
  return { shown, options: { announceFirstPassword } }
}

it('the first start makes up a password, shows it once, and asks for another', async () => {
  const env = place()
  const { shown, options } = collectPasswords()
  const first = await buildApp(readEnv(env), options)
  expect(shown).toEqual([expect.stringMatching(/^[\w-]{16}$/)])
  const payload = { username: 'root', password: shown[0] }
  const signIn = await first.fastify.inject({ method: 'POST', url: '/api/user/login', payload })
  expect(signIn.json().data).toMatchObject({ role: 100, must_change_password: true })
  await first.close(1)
  const second = await buildApp(readEnv(env), options)
  expect(shown).toHaveLength(1)
  await second.close(1)
})

it('S20 C14 no default account opens a server that was started without a first password', async () => {
  const { shown, options } = collectPasswords()
  const { fastify, close } = await buildApp(readEnv(place()), options)
  const signIn = async (username: string, password: string) => {
    const payload = { username, password }
    return (await fastify.inject({ method: 'POST', url: '/api/user/login', payload })).json().code
  }
  const guesses = ['123456', '12345678', 'root', 'admin', 'password', 'changeme', '']
  for (const password of guesses)
    expect(await signIn('root', password)).toMatch(/^(sign_in.refused|request.invalid)$/)
  expect(await signIn('admin', 'admin')).toBe('sign_in.refused')
  await close(1)
  await (await buildApp(readEnv(place()), options)).close(1)
  expect(new Set(shown).size).toBe(2)
})

it('a first password that could not be shown is not kept: the next start makes up another', async () => {
  const env = place()
  const announceFirstPassword = () => {
    throw new TypeError('the terminal is gone')
  }
  await expect(buildApp(readEnv(env), { announceFirstPassword })).rejects.toThrow('terminal')
  const { shown, options } = collectPasswords()
  const next = await buildApp(readEnv(env), options)
  expect(shown).toHaveLength(1)
  await next.close(1)
})

it('an operator gives the first password, token and access token by environment', async () => {
  const env = place({
    INITIAL_ROOT_PASSWORD: 'given-password',
    INITIAL_ROOT_TOKEN: 'sk-given-token-0001',
    INITIAL_ROOT_ACCESS_TOKEN: 'given-access-token',
  })
  const { shown, options } = collectPasswords()
  const { app, fastify, close } = await buildApp(readEnv(env), options)
  expect(shown).toEqual([])
  const headers = { authorization: 'given-access-token' }
  const self = await fastify.inject({ url: '/api/user/self', headers })
  expect(self.json().data).toMatchObject({ username: 'root', must_change_password: false })
  const token = await app.db.selectFrom('tokens').select('key_hash').executeTakeFirst()
  expect(token?.key_hash).toBe(sha256('sk-given-token-0001'))
  await close(1)
})

it('a common first password is refused, and the next start may give a better one', async () => {
  const env = place({ INITIAL_ROOT_PASSWORD: '12345678' })
  await expect(buildApp(readEnv(env))).rejects.toThrow('INITIAL_ROOT_PASSWORD is too common')
  await (await buildApp(readEnv({ ...env, INITIAL_ROOT_PASSWORD: 'given-password' }))).close(1)
})

it('another master key than the one the database was sealed with stops the start', async () => {
  const env = place({ MASTER_KEY: randomBytes(32).toString('hex') })
  await (await buildApp(readEnv(env))).close(1)
  const other = readEnv({ ...env, MASTER_KEY: randomBytes(32).toString('hex') })
  await expect(buildApp(other)).rejects.toThrow('MASTER_KEY')
  await (await buildApp(readEnv(env))).close(1)
})

it('a stopping server says so at once, serves until balancers notice, and gives everything back', async () => {
  const noticed = Promise.withResolvers<void>()
  const INITIAL_ROOT_TOKEN = 'sk-given-token-0001'
  const { app, fastify, listen, close } = await buildApp(readEnv(place({ INITIAL_ROOT_TOKEN })), {
    waitForBalancers: () => noticed.promise,
  })
  const port = await listen()
  const closed = close(2)
  expect(app.stopping()).toBe(true)
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`)
  expect([ready.status, await ready.text()]).toEqual([503, 'stopping'])
  const call = () =>
    fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${INITIAL_ROOT_TOKEN}`,
        'content-type': 'application/json',
      },
      body: '{"model":"nobody-serves-this","messages":[]}',
    }).then(async response => ((await response.json()) as { error: { code: string } }).error.code)
  expect(await call(), 'until the balancers notice, calls are served').not.toBe('server.stopping')
  noticed.resolve()
  await closed
  expect(fastify.server.listening).toBe(false)
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow()
})

it('a stop leaves a job behind that does not end', async () => {
  const started = Promise.withResolvers<void>()
  const run = () => {
    started.resolve()
    return new Promise(() => {})
  }
  const options = { jobs: [defineJob({ name: 'endless', everySeconds: 0.01, run })] }
  const { close } = await buildApp(readEnv(place()), options)
  await started.promise
  const closed = close(0).then(() => 'closed')
  expect(await Promise.race([closed, sleep(30_000, 'still open')])).toBe('closed')
})

describeInRedis('a stop while Redis does not answer', redis => {
  it('does not wait for jobs that have not got their lock, and does not begin them', async () => {
    let runs = 0
    const run = async () => {
      runs += 1
    }
    const options = { jobs: [defineJob({ name: 'quick', everySeconds: 0.01, run })] }
    const { close } = await buildApp(readEnv(place({ REDIS_URL: redis.url })), options)
    await expect.poll(() => runs).toBeGreaterThan(0)
    redis.freeze()
    const before = runs
    // By then the next run has asked for its lock.
    await sleep(500)
    const closed = close(60).then(() => 'closed')
    expect(await Promise.race([closed, sleep(25_000, 'still open')])).toBe('closed')
    redis.resume()
    expect(runs).toBeLessThanOrEqual(before + 1)
  })
})
