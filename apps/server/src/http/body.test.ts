import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it, vi } from 'vitest'
import { limitBodyTime } from './body.ts'

const halfMinuteMs = 30_000
let server: FastifyInstance | undefined

afterEach(async () => {
  vi.useRealTimers()
  await server?.close()
})

const listen = async (answer: () => Promise<string>) => {
  server = fastify()
  limitBodyTime(server)
  server.get('/', answer)
  server.post('/', answer)
  await server.listen({ port: 0, host: '127.0.0.1' })
  return (server.server.address() as AddressInfo).port
}

it('an answer that takes more than half a minute arrives', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  for (const method of ['GET', 'POST']) {
    const called = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<string>()
    const port = await listen(() => {
      called.resolve()
      return answer.promise
    })
    const headers = { 'content-type': 'application/json' }
    const call = request({ port, method, ...(method === 'POST' ? { headers } : {}) })
    call.end(method === 'POST' ? '{}' : undefined)
    await called.promise
    vi.advanceTimersByTime(halfMinuteMs + 1)
    answer.resolve('late')
    const [response] = await once(call, 'response')
    expect([method, response.statusCode]).toEqual([method, 200])
    response.resume()
    await server?.close()
  }
})

it('a body that takes more than half a minute ends its connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const port = await listen(async () => 'never')
  const started = new Promise<void>(resolve => {
    server?.server.prependOnceListener('request', () => setImmediate(resolve))
  })
  const headers = { 'content-type': 'application/json', 'content-length': '100' }
  const call = request({ port, method: 'POST', headers })
  const failed = once(call, 'error')
  call.write('{')
  await started
  vi.advanceTimersByTime(halfMinuteMs + 1)
  const [error] = await failed
  expect((error as NodeJS.ErrnoException).code).toBe('ECONNRESET')
})
