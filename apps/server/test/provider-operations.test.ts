import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addressOf } from '@hub/contract/call-operations'
import { type Operation, providers } from '@hub/providers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CompleteFixture,
  fixturePath,
  readFixture,
  strayFixtures,
} from '../../../test/conformance/providers/fixtures.ts'
import { reasonsDocument, reasonsFile } from '../../../test/conformance/providers/reasons.ts'
import {
  makeProviderTable,
  providersData,
  providersDocument,
  providersFile,
} from '../../../test/conformance/providers/table.ts'
import { keepAlive } from '../../../test/harness/addresses/keep-alive.ts'
import { lastCharge } from './relay-calls.ts'
import { useRelayHub } from './relay-hub.ts'

/** Chat has a suite of its own in `packages/providers`, realtime is a socket. */
const otherSuites: readonly Operation[] = ['chat', 'realtime']

const hub = useRelayHub()
const vendor = createServer(keepAlive)
let vendorUrl = ''
beforeAll(async () => {
  vendor.listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => {
  vendor.closeAllConnections()
  vendor.close()
})

type Received = { path: string; headers: IncomingHttpHeaders; body: unknown }

/** The next request that the vendor receives; it gives the documented answer. */
const serveOnce = (answer: CompleteFixture['answer']): Promise<Received> =>
  new Promise((resolve, reject) =>
    vendor.once('request', async (request, response) => {
      const bytes = Buffer.concat(await request.toArray())
      const { contentType, body } = bytesOf(answer)
      response.writeHead(200, { 'content-type': contentType })
      response.end(body)
      readBody(bytes, request.headers['content-type'] ?? '').then(
        read => resolve({ path: request.url!, headers: request.headers, body: read }),
        reject,
      )
    }),
  )

const bytesOf = (body: CompleteFixture['answer']) =>
  'json' in body
    ? { contentType: 'application/json', body: Buffer.from(JSON.stringify(body.json)) }
    : {
        contentType: body.contentType,
        body: Buffer.from(
          body.text ?? body.base64 ?? '',
          body.text === undefined ? 'base64' : 'utf8',
        ),
      }

/** JSON as an object, a form as its fields with `@` before the name of a file, anything else as text. */
const readBody = async (bytes: Buffer, contentType: string): Promise<unknown> => {
  if (/\bjson\b/.test(contentType)) return JSON.parse(String(bytes))
  if (!contentType.startsWith('multipart/')) return String(bytes)
  const form = await new Response(new Uint8Array(bytes), {
    headers: { 'content-type': contentType },
  }).formData()
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === 'string' ? value : `@${value.name}`]),
  )
}

/** An answer of a vendor that names no time has the gateway's. */
const dated = (answer: Record<string, unknown>) =>
  answer.created === 0 ? { ...answer, created: expect.closeTo(Date.now() / 1_000, -4) } : answer

const fileTypes: Readonly<Record<string, string>> = {
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  png: 'image/png',
}
const formOf = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    const file = /^@(.+\.(\w+))$/.exec(value)
    if (!file) form.set(name, value)
    else form.set(name, new Blob(['file'], { type: fileTypes[file[2]!] ?? '' }), file[1])
  }
  return form
}

const addChannel = async (type: number, baseUrl: string, fixture: CompleteFixture) => {
  const named = fixture.channel?.models ?? fixture.request?.model ?? fixture.form?.model
  const model = String(named)
  const url = `${vendorUrl}${baseUrl && new URL(baseUrl.replace(/[{}]/g, '')).pathname}`
  const fields = { base_url: url.replace(/\/$/, ''), key: 'vendor-key', ...fixture.channel }
  await hub.addChannel(type, model, fields)
  const { id } = await hub.app.app.db
    .selectFrom('channels')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return { id, remove: () => hub.app.root.delete(`/api/channel/${id}`) }
}

const call = (path: string, { request, form }: CompleteFixture, channelId: number) =>
  fetch(`${hub.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${hub.key}#${channelId}`,
      ...(request && { 'content-type': 'application/json' }),
    },
    body: request ? JSON.stringify(request) : formOf(form!),
  })

for (const provider of providers)
  for (const [name, endpoints] of Object.entries(provider.serves)) {
    const operation = name as Operation
    if (otherSuites.includes(operation) || endpoints.length === 0) continue
    const fixture = readFixture(provider, operation)
    if (!fixture) continue
    const path = fixture.route ?? addressOf(operation)
    describe(`${provider.name}: ${operation}`, () => {
      it(`sends, answers and charges as documented in ${fixturePath(provider, operation)}`, async () => {
        const channel = await addChannel(provider.type, provider.baseUrl, fixture)
        const atVendor = serveOnce(fixture.answer)
        const response = await call(path!, fixture, channel.id)
        const received = Buffer.from(await response.arrayBuffer())
        if (response.status !== 200) throw new Error(`${response.status} ${received}`)

        const { path: sentPath, headers, body } = await atVendor
        expect(sentPath).toBe(fixture.path)
        expect(headers).toMatchObject(fixture.headers ?? {})
        expect(body).toEqual(fixture.sent ?? fixture.request ?? fixture.form)

        const { contentType, body: expected } = bytesOf(fixture.response ?? fixture.answer)
        expect(response.headers.get('content-type')).toContain(contentType)
        if (contentType === 'application/json')
          expect(JSON.parse(String(received))).toEqual(dated(JSON.parse(String(expected))))
        else expect(received.equals(expected)).toBe(true)
        expect((await lastCharge(hub))?.usage).toEqual(fixture.usage)
        await channel.remove()
      })
    })
  }

it('every fixture belongs to an operation that its provider serves', () => {
  expect(strayFixtures()).toEqual([])
})

it('the page of providers and what the API says are up to date: else `npm run conformance -- providers`', () => {
  expect(readFileSync(providersFile, 'utf8')).toBe(providersDocument())
  expect(readFileSync(reasonsFile, 'utf8')).toBe(reasonsDocument())
  expect(JSON.parse(readFileSync(providersData, 'utf8'))).toEqual(makeProviderTable())
})
