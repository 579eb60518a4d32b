import { createPartFromUri, GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useRelayHub } from '../relay-hub.ts'
import { type GeminiVendor, startGeminiVendor } from './gemini-vendor.ts'

const hub = useRelayHub()
let vendor: GeminiVendor
let client: GoogleGenAI
let stranger: GoogleGenAI
let strangerKey: string

beforeAll(async () => {
  vendor = await startGeminiVendor(() => hub.app.app.now())
  const plugin = { storage: { files: true } }
  const addresses = [vendor.url, `${vendor.url}/proxy`]
  for (const [index, base_url] of addresses.entries())
    await hub.addChannel(25, 'gemini-2.5-flash', { base_url, key: `account-${index}`, plugin })
  client = clientOf(hub.key)
  const person = await hub.app.person(1, { quota: 1_000_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  strangerKey = made.body.data.key
  stranger = clientOf(strangerKey)
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.calls.length = 0
})

const clientOf = (apiKey: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: hub.url } })

const upload = (by: GoogleGenAI, text: string, config: object = {}) =>
  by.files.upload({ file: new Blob([text]), config: { mimeType: 'text/plain', ...config } })

const status = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: { status?: number }) => error.status,
  )

const start = (fields: object = {}, headers: Record<string, string> = {}) =>
  fetch(`${hub.url}/upload/v1beta/files`, {
    method: 'POST',
    headers: {
      'x-goog-api-key': hub.key,
      'content-type': 'application/json',
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': '3',
      'x-goog-upload-header-content-type': 'text/plain',
      ...headers,
    },
    body: JSON.stringify({ file: fields }),
  })

const command = (address: string, name: string, body = '', headers: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    headers: { 'x-goog-upload-command': name, 'x-goog-upload-offset': '0', ...headers },
    body,
  })

describe('files of the Gemini API', () => {
  it('are uploaded, shown, listed, used and deleted by the official client', async () => {
    const file = await upload(client, 'abc', { displayName: 'Notes' })
    expect(file).toMatchObject({ mimeType: 'text/plain', sizeBytes: '3', displayName: 'Notes' })
    expect(vendor.files.get(file.name!)?.content.toString()).toBe('abc')
    expect(await client.files.get({ name: file.name! })).toMatchObject({ state: 'ACTIVE' })
    const listed = await client.files.list()
    expect(listed.page.map(each => each.name)).toEqual([file.name])
    const answer = await client.models.generateContent({
      model: 'gemini-2.5-flash',
      contents: [createPartFromUri(file.uri!, file.mimeType!), 'Read it.'],
    })
    expect(answer.text).toBe('Read.')
    expect(new Set(vendor.calls.map(each => each.account)).size).toBe(1)
    await client.files.delete({ name: file.name! })
    expect(vendor.files.size).toBe(0)
    expect((await client.files.list()).page).toEqual([])
    expect(await status(client.files.get({ name: file.name! }))).toBe(404)
  })

  it('in chunks arrive whole, at either account', async () => {
    const text = 'x'.repeat(9 * 1024 * 1024)
    vendor.calls.length = 0
    const accounts = () => new Set(vendor.calls.map(each => each.account)).size
    // The account is drawn: 40 uploads at one of two come once in 10^12 runs.
    for (let at = 0; at < 40 && accounts() < 2; at += 1) {
      const person = await hub.app.person(1, { quota: 1_000_000 })
      const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
      const file = await upload(clientOf(made.body.data.key), text)
      expect(vendor.files.get(file.name!)?.content.length).toBe(text.length)
    }
    expect(accounts()).toBe(2)
  })

  it('are sent without a key, as the examples of the vendor do, to an address that shows neither vendor nor key', async () => {
    const started = await start()
    const address = started.headers.get('x-goog-upload-url')!
    const shown = JSON.stringify([...started.headers])
    expect(new URL(address).origin).toBe(hub.url)
    for (const secret of ['googleapis', 'account-', hub.key, '127.0.0.1:1/'])
      expect(shown).not.toContain(secret)
    expect(started.headers.get('x-goog-upload-control-url')).toBe(null)
    const received = await command(address, 'query')
    expect(received.headers.get('x-goog-upload-size-received')).toBe('0')
    const sent = await command(address, 'upload, finalize', 'abc')
    expect(sent.headers.get('x-goog-upload-status')).toBe('final')
    const { file } = (await sent.json()) as { file: { name: string } }
    expect((await client.files.get({ name: file.name })).name).toBe(file.name)
    for (const { headers, query } of vendor.calls)
      expect([JSON.stringify(headers), query.toString()].join()).not.toContain(hub.key)
    const cancelled = (await start()).headers.get('x-goog-upload-url')!
    expect((await command(cancelled, 'cancel')).headers.get('x-goog-upload-status')).toBe(
      'cancelled',
    )
  })

  it('S26 of somebody else do not exist, whoever sends their bytes or writes their address otherwise', async () => {
    const { name, uri } = await upload(client, 'abc')
    const address = (await start()).headers.get('x-goog-upload-url')!
    vendor.calls.length = 0
    expect(await status(stranger.files.get({ name: name! }))).toBe(404)
    expect(await status(stranger.files.delete({ name: name! }))).toBe(404)
    expect((await stranger.files.list()).page).toEqual([])
    const own = { 'x-goog-api-key': strangerKey }
    expect((await command(address, 'upload, finalize', 'abc', own)).status).toBe(404)
    expect((await command(`${address.slice(0, 80)}x`, 'query')).status).toBe(404)
    const elsewhere = uri!.replace('.com/', '.com:443/')
    for (const fileUri of [uri!, elsewhere, `${uri}/`, uri!.replace('files', '%66iles')]) {
      const contents = [createPartFromUri(fileUri, 'text/plain')]
      const model = 'gemini-2.5-flash'
      expect([fileUri, await status(stranger.models.generateContent({ model, contents }))]).toEqual(
        [fileUri, 404],
      )
    }
    expect(vendor.calls).toEqual([])
  })

  it('S26 have no name of the caller’s choice, which another caller could read them under', async () => {
    const refused = await start({ name: 'files/chosen' })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 400 } }])
    expect(vendor.calls).toEqual([])
  })

  it('are refused in another protocol, above the size limit, and with a revoked key', async () => {
    expect((await start({}, { 'x-goog-upload-protocol': 'multipart' })).status).toBe(400)
    const large = { 'x-goog-upload-header-content-length': String(2 ** 30) }
    expect((await start({}, large)).status).toBe(413)
    expect((await start({}, { 'x-goog-api-key': 'sk-none' })).status).toBe(401)
    const person = await hub.app.person(1, { quota: 1_000_000 })
    const { key, id } = (await person.post('/api/token/', { name: 'own', unlimited_quota: true }))
      .body.data
    const address = (await start({}, { 'x-goog-api-key': key })).headers.get('x-goog-upload-url')!
    await person.delete(`/api/token/${id}`)
    await expect.poll(async () => (await command(address, 'query')).status).toBe(401)
  })

  it('that their vendor has deleted are forgotten, and the key of the channel is not blamed', async () => {
    const { name, uri } = await upload(client, 'abc')
    vendor.files.delete(name!)
    const contents = [createPartFromUri(uri!, 'text/plain')]
    const model = 'gemini-2.5-flash'
    expect(await status(client.models.generateContent({ model, contents }))).toBe(403)
    expect(await status(client.files.get({ name: name! }))).toBe(404)
    expect((await client.files.list()).page.map(each => each.name)).not.toContain(name)
    expect((await upload(client, 'abc')).state).toBe('PROCESSING')
  })

  it('are listed page by page', async () => {
    const names: string[] = []
    for (let at = 0; at < 3; at += 1) names.push((await upload(stranger, 'abc')).name!)
    const listed: string[] = []
    for await (const each of await stranger.files.list({ config: { pageSize: 2 } }))
      listed.push(each.name!)
    expect(listed.toSorted()).toEqual(names.toSorted())
  })
})

it('another dialect uses the caller’s own file, and nobody else’s', async () => {
  const file = await upload(client, 'abc')
  const image = (url: string) => ({ type: 'image_url', image_url: { url } })
  const ways: [path: string, body: (uri: string) => object][] = [
    ['/v1/chat/completions', uri => ({ messages: [{ role: 'user', content: [image(uri)] }] })],
    [
      '/v1/messages',
      url => ({
        max_tokens: 50,
        messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'url', url } }] }],
      }),
    ],
    [
      '/v1/responses',
      file_url => ({
        store: false,
        input: [{ role: 'user', content: [{ type: 'input_file', file_url }] }],
      }),
    ],
  ]
  for (const [path, bodyFor] of ways)
    for (const [key, uri, expected] of [
      [hub.key, file.uri!, 200],
      [strangerKey, file.uri!, 404],
      [strangerKey, file.name!, 404],
      [hub.key, `${file.uri!}x`, 404],
    ] as const) {
      vendor.calls.length = 0
      const body = { model: 'gemini-2.5-flash', ...bodyFor(uri) }
      const response = await hub.post(path, body, { authorization: `Bearer ${key}` })
      expect([path, uri, response.status, await response.text()]).toEqual([
        ...[path, uri, expected],
        expect.anything(),
      ])
      const sent = vendor.calls.map(each => String(each.body))
      expect(sent).toEqual(expected === 200 ? [expect.stringContaining(uri)] : [])
    }
})
