import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { publicRoutes } from '../src/public-routes.ts'
import { onBothEngines, type TestApp } from './harness.ts'

let hub: TestApp
let url: string
const key = `sk-${randomBytes(24).toString('hex')}`.slice(0, 46)

const send = (method: string, path: string, body?: unknown) =>
  fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'x-api-key': key,
      'x-goog-api-key': key,
      'mj-api-secret': key,
      'content-type': 'application/json',
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  })

/** Public routes that have a parameter, each with NUL in every parameter. */
const paths = publicRoutes
  .filter(({ path }) => /[:*]/.test(path))
  .map(({ method, path }) => ({
    method,
    path: path.replace(/:\w+/g, 'a%00b').replace('*', 'a%00b'),
  }))

/** Bodies that name something by a text with NUL. */
const bodies: [string, object][] = [
  ['/suno/fetch', { ids: ['a\0b'] }],
  ['/mj/task/list-by-condition', { ids: ['a\0b'] }],
  ['/mj/submit/change', { taskId: 'a\0b', action: 'UPSCALE', index: 1 }],
  ['/v1/chat/completions', { model: 'a\0b', messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/messages', { model: 'a\0b', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }],
  ['/v1/responses', { model: 'm', input: 'hi', previous_response_id: 'resp_a\0b' }],
  ['/v1/responses', { model: 'm', input: 'hi', conversation: 'conv_a\0b' }],
  ['/v1/responses', { model: 'm', input: [{ type: 'item_reference', id: 'a\0b' }] }],
  ['/v1/batches', { input_file_id: 'file-a\0b', endpoint: '/v1/responses' }],
  ['/v1/embeddings', { model: 'a\0b', input: 'hi' }],
  ['/v1/images/generations', { model: 'a\0b', prompt: 'hi' }],
  ['/v1/videos', { model: 'a\0b', prompt: 'hi' }],
  ['/v1/audio/speech', { model: 'a\0b', voice: 'v\0', input: 'hi' }],
]

onBothEngines('NUL in what a caller names', open => {
  beforeAll(async () => {
    hub = await open({ INITIAL_ROOT_TOKEN: key })
    url = `http://127.0.0.1:${await hub.listen()}`
  })

  it('is refused in every path, and never an error of the server', async () => {
    expect(paths.length).toBeGreaterThan(30)
    const statuses = []
    for (const { method, path } of paths) {
      const { status } = await send(method, path)
      if (status < 400 || status >= 500) statuses.push([method, path, status])
    }
    expect(statuses).toEqual([])
  })

  it.each(bodies)('is never an error of the server in the body of %s: %j', async (path, body) => {
    const { status } = await send('POST', path, body)
    // Without a channel a model is unknown, and temporarily so for a name that none has.
    expect([path, status]).toEqual([
      path,
      expect.toSatisfy((n: number) => n >= 200 && (n < 500 || n === 503)),
    ])
  })

  it.each([
    ['GET', '/api/payment/notify/a%00b'],
    ['POST', '/api/payment/notify/a%00b'],
    ['POST', '/api/telegram/a%00b'],
    ['GET', '/api/analytics/%00.js'],
    ['GET', '/api/oauth/a%00b?code=%00&state=%00'],
    ['GET', '/api/log/self?model_name=a%00b'],
    ['GET', '/dashboard/billing/usage?start_date=a%00b'],
    ['GET', '/api/status?x=%00'],
  ])('%s %s is answered, and never an error of the server', async (method, path) => {
    const { status } = await send(method, path)
    expect([path, status]).toEqual([path, expect.toSatisfy((n: number) => n >= 200 && n < 500)])
  })
})
