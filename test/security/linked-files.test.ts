import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Canary, startCanary } from '../harness/addresses/canary.ts'
import {
  type FileHost,
  goodZone,
  publicAddress,
  startFileHost,
} from '../harness/addresses/file-host.ts'
import { hostileHosts, hostileUrls, hostileZone } from '../harness/addresses/hostile.ts'
import type { Person } from '../harness/admin.ts'
import { engines } from '../harness/engines.ts'
import { accountOf } from '../harness/ledger.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { awsKeys } from '../upstream/dialects/aws.ts'

let canary: Canary
let files: FileHost
let hub: TestHub
let person: Person
beforeAll(async () => {
  canary = await startCanary()
  files = await startFileHost()
  const [sqlite = { name: 'SQLite' as const, available: true }] = engines
  hub = await startTestHub(sqlite, {
    env: {
      FETCH_DNS_SERVERS: files.names.address,
      FETCH_PRIVATE_RANGES: publicAddress,
      FETCH_PORTS: `80,443,${files.port},${canary.port}`,
    },
  })
  person = await hub.admin.addPerson(10_000_000)
  await hub.admin.addChannel(`${hub.upstream.url}/converse`, {
    ...{ type: 32, key: `${awsKeys.region}|key`, models: 'm-converse' },
    model_mapping: JSON.stringify({ 'm-converse': '+us.amazon.nova-pro-v1:0' }),
  })
  await hub.admin.setPrice('m-*', 'tokens', 1, 1)
  await hub.admin.setOption('RetryTimes', '0')
})
afterAll(async () => {
  await hub?.close()
  await files?.close()
  await canary?.close()
})
afterEach(() => {
  expect(canary.connections()).toBe(0)
  expect(hub.upstream.canary).toEqual([])
})

const chat = async (url: string) => {
  const content = [{ type: 'image_url', image_url: { url } }]
  const response = await fetch(`${hub.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${person.key}`,
      'content-type': 'application/json',
      cookie: 'session=secret',
    },
    body: JSON.stringify({ model: 'm-converse', messages: [{ role: 'user', content }] }),
  })
  const { error } = (await response.json()) as { error?: { code?: string; message?: string } }
  return { status: response.status, code: error?.code, message: error?.message ?? '' }
}

it('S1 S2 S3 S6 no hostile address in image_url reaches anything, and none costs anything', async () => {
  files.resolve(name => goodZone(name) ?? hostileZone(name))
  const urls = [
    ...hostileHosts.map(name => `http://${name}:${canary.port}/a.png`),
    ...hostileUrls.map(url => url.replaceAll('{port}', String(canary.port))),
  ].filter(url => !url.startsWith('s3:'))
  expect(new Set(urls).size).toBeGreaterThan(200)
  const wrong: unknown[] = []
  for (const url of urls) {
    const { status, code, message } = await chat(url)
    const isRefused = status === 400 && code === 'request_link' && /public|only http/.test(message)
    if (!isRefused) wrong.push([url, status, code, message])
  }
  expect(wrong).toEqual([])
  expect(files.requests).toEqual([])
  expect(hub.upstream.served).toEqual([])
  await hub.settled()
  expect(await accountOf(hub.gateway, person.id)).toMatchObject({ balance: 10_000_000, held: 0 })
})

it('S2 a name server that answers differently the second time wins nothing', async () => {
  const questions = new Map<string, number>()
  files.resolve(name => {
    const times = (questions.get(name) ?? 0) + 1
    questions.set(name, times)
    return times <= 2 ? [publicAddress] : ['127.0.0.1']
  })
  const served = files.requests.length
  // A and AAAA of the first name are questions once each; the connection needs no further answer.
  expect((await chat(`http://first.rebind.example:${files.port}/a.png`)).status).toBe(200)
  expect(questions.get('first.rebind.example')).toBe(2)
  expect(files.requests.length).toBe(served + 1)
  files.respond(({ headers: { host = '' } }, response) => {
    const location = `http://${host.split(':')[0]}:${canary.port}/a.png`
    response.writeHead(302, { location }).end()
  })
  expect(await chat(`http://second.rebind.example:${files.port}/a.png`)).toMatchObject({
    status: 400,
    code: 'request_link',
  })
})

it('S2 S6 a redirect to a hostile address is not followed', async () => {
  files.resolve(name => goodZone(name) ?? hostileZone(name))
  const targets = [
    '127.0.0.1',
    '[::1]',
    '0',
    'localhost',
    'six.attacker.example',
    '[::ffff:127.0.0.1]',
  ]
  for (const target of targets) {
    files.respond(
      (_request, response) =>
        void response.writeHead(302, { location: `http://${target}:${canary.port}/` }).end(),
    )
    expect(await chat(`http://good.example:${files.port}/a.png`)).toMatchObject({
      status: 400,
      code: 'request_link',
    })
  }
})

it('S5 S6 the host of a linked file gets nothing of the caller and nothing of the channel', async () => {
  files.resolve(goodZone)
  files.requests.length = 0
  files.respond((_request, response) => void response.end('<html>'))
  expect((await chat(`http://good.example:${files.port}/a.png`)).message).toContain(
    'supported type',
  )
  const [request] = files.requests
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual([
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})
