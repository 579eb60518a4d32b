import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addressOf } from '@hub/contract/call-operations'
import { providers } from '@hub/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type CompleteFixture, readFixture } from '../../../test/conformance/providers/fixtures.ts'
import { keepAlive } from '../../../test/harness/addresses/keep-alive.ts'
import { removeExpiredImages } from '../src/relay/index.ts'
import { lastCharge } from './relay-calls.ts'
import { type Json, useRelayHub } from './relay-hub.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64')
const base64 = png.toString('base64')

/** A vendor that gives its next answer to any call, and one image for each path that ends with `.png`. */
const vendor = createServer(keepAlive, async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (request.method === 'GET') {
    const { status = 200, content = png } = files[request.url!] ?? {}
    response.writeHead(status, { 'content-type': 'image/png' })
    return response.end(content)
  }
  received.push({ text: body.toString() })
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(nextAnswer))
})
vendor.listen(0, '127.0.0.1')
await once(vendor, 'listening')
const { port } = vendor.address() as AddressInfo
const vendorUrl = `http://127.0.0.1:${port}`
const link = `${vendorUrl}/made.png`

const files: Record<string, { status?: number; content?: Buffer }> = {}
const received: { text: string }[] = []
let nextAnswer: unknown

const hub = useRelayHub({ FETCH_PRIVATE_RANGES: '127.0.0.0/8', FETCH_PORTS: String(port) })
const setOption = async (key: string, value: string) =>
  expect((await hub.app.root.put('/api/option/', { key, value })).status).toBe(200)
beforeAll(async () => {
  await setOption('TaskCopyDays', '1')
})
beforeEach(() => {
  received.length = 0
})
afterAll(() => {
  vendor.closeAllConnections()
  vendor.close()
})

const imageKeys = new Set(['b64_json', 'image', 'images', 'bytesBase64Encoded'])

/** The documented answer of a vendor, with images that can be read. */
const readable = (value: Json, key = ''): Json => {
  if (Array.isArray(value)) return value.map(each => readable(each, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, readable(each, name)]),
    )
  if (typeof value !== 'string') return value
  if (/^https:.*\.(png|jpe?g|webp)$/.test(value)) return link
  return imageKeys.has(key) ? base64 : value
}

const inForm = (answer: Json, form: string) => ({
  ...answer,
  data: answer.data.map(() => (form === 'url' ? { url: link } : { b64_json: base64 })),
})

const formData = (fields: Record<string, string>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    if (value.startsWith('@')) form.set(name, new Blob(['file'], { type: 'image/png' }), 'a.png')
    else form.set(name, value)
  return form
}

const call = async (
  path: string,
  { request, form }: CompleteFixture,
  requested: string | undefined,
) => {
  const format: Record<string, string> =
    requested === undefined ? {} : { response_format: requested }
  const authorization = `Bearer ${hub.key}`
  const response = await fetch(`${hub.url}${path}`, {
    method: 'POST',
    headers: { authorization, ...(request && { 'content-type': 'application/json' }) },
    body: request
      ? JSON.stringify({ ...request, ...format })
      : formData({ ...(form as Record<string, string>), ...format }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const readLink = async (url: string) => {
  const response = await fetch(url)
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

/** Every image is in this form alone, and is the vendor's. */
const expectForm = async (data: Json[], form: string) => {
  expect(data.length).toBeGreaterThan(0)
  for (const image of data) {
    if (form === 'b64_json') expect([image.b64_json, image.url]).toEqual([base64, undefined])
    else {
      expect(image.b64_json).toBeUndefined()
      expect((await readLink(image.url)).bytes.equals(png)).toBe(true)
    }
  }
}

const operations = ['images', 'image-edits', 'image-variations'] as const
const forms = ['url', 'b64_json'] as const

/** Vendors without a document of their edits answer as OpenAI does. */
const cases = providers.flatMap(provider =>
  operations.flatMap(operation => {
    const fixture = readFixture(provider, operation)
    const endpoints = provider.serves[operation] ?? []
    return fixture && endpoints.length > 0 ? { provider, operation, fixture, endpoints } : []
  }),
)

it('knows every vendor that makes images', () => {
  const served = providers.flatMap(provider =>
    operations.flatMap(each => (provider.serves[each] ? `${provider.id} ${each}` : [])),
  )
  expect(cases.map(each => `${each.provider.id} ${each.operation}`)).toEqual(served)
})

for (const { provider, operation, fixture, endpoints } of cases)
  describe(`${provider.id} ${operation}`, () => {
    const path = addressOf(operation)!
    const model = String(fixture.request?.model ?? fixture.form?.model)
    const { imageForm } = endpoints.find(each => each.onlyModels?.test(model) ?? true)!
    const documented = readable('json' in fixture.answer ? fixture.answer.json : {})
    let channelId = 0
    beforeAll(async () => {
      const address = provider.baseUrl && new URL(provider.baseUrl.replace(/[{}]/g, '')).pathname
      const base_url = `${vendorUrl}${address}`.replace(/\/$/, '')
      await hub.addChannel(provider.type, model, { base_url, ...fixture.channel })
      const channels = hub.app.app.db.selectFrom('channels').select('id').orderBy('id', 'desc')
      channelId = (await channels.executeTakeFirstOrThrow()).id
    })
    afterAll(async () => {
      await hub.app.root.delete(`/api/channel/${channelId}`)
    })

    for (const given of imageForm ? [imageForm] : forms)
      for (const requested of [undefined, ...forms])
        it(`gives ${requested ?? 'what comes'} where ${requested ?? 'nothing'} is asked and ${given} comes`, async () => {
          nextAnswer = imageForm ? documented : inForm(documented, given)
          const { status, body } = await call(path, fixture, requested)
          expect([status, body.warnings, body.error]).toEqual([200, undefined, undefined])
          await expectForm(body.data, requested ?? given)
          // A vendor of one form would refuse the field.
          const isSent = requested !== undefined && imageForm === undefined
          expect(received.at(-1)!.text.includes('response_format')).toBe(isSent)
        })
  })

const draw = (model: string, fields: object) =>
  hub.post('/v1/images/generations', { model, prompt: 'a dot', ...fields })
const drawn = async (model: string, fields: object) => {
  const response = await draw(model, fields)
  return { status: response.status, body: (await response.json()) as Json }
}

describe('images that cannot be converted', () => {
  beforeAll(async () => {
    await hub.addChannel(16, 'cogview-4', { base_url: vendorUrl })
    await hub.addChannel(1, 'gpt-image-1', { base_url: vendorUrl })
    await hub.addChannel(8, 'made-elsewhere', { base_url: vendorUrl })
  })

  it.each([
    ['has gone', `${vendorUrl}/gone.png`, /did not answer with 200/],
    ['is no image', `${vendorUrl}/text.png`, /no image/],
    ['is too large', `${vendorUrl}/large.png`, /larger than 20 MiB/],
    ['has a private address', `http://10.0.0.1:${port}/a.png`, /does not fetch/],
    ['has another port', 'http://127.0.0.1:1/a.png', /none that the gateway fetches/],
    ['is a file', 'file:///etc/passwd', /none that the gateway fetches/],
  ])('stay links where the file %s, are charged, and say why', async (_why, url, reason) => {
    files['/gone.png'] = { status: 404 }
    files['/text.png'] = { content: Buffer.from('this is no image at all') }
    files['/large.png'] = { content: Buffer.concat([png, Buffer.alloc(21 * 1024 * 1024)]) }
    nextAnswer = { created: 1, data: [{ url }] }
    const before = (await lastCharge(hub))?.id
    const { status, body } = await drawn('cogview-4', { response_format: 'b64_json' })
    expect([status, body.data]).toEqual([200, [{ url }]])
    expect(body.warnings).toEqual([expect.stringMatching(reason)])
    const charge = await lastCharge(hub)
    expect([charge?.amount, charge?.id === before]).toEqual([1_000, false])
  })

  it('stay bytes where the storage fails, are charged, and say why', async () => {
    const folder = join(hub.app.app.env.dataDir, 'task-results')
    rmSync(folder, { recursive: true, force: true })
    writeFileSync(folder, 'a file instead of the folder')
    const usage = { input_tokens: 5, output_tokens: 200, total_tokens: 205 }
    nextAnswer = { created: 1, data: [{ b64_json: base64 }], usage }
    const { status, body } = await drawn('gpt-image-1', { response_format: 'url' })
    rmSync(folder)
    expect([status, body.data]).toEqual([200, [{ b64_json: base64 }]])
    expect(body.warnings).toEqual(['data[0] is not given as url: it could not be stored.'])
    expect((await lastCharge(hub))?.amount).toBe(205)
  })

  it('are refused before a vendor is asked where it gives bytes and nothing is stored', async () => {
    await setOption('TaskCopyDays', '0')
    try {
      const { status, body } = await drawn('gpt-image-1', { response_format: 'url' })
      expect([status, body.error.message]).toEqual([400, expect.stringContaining('`TaskCopyDays`')])
      expect(received).toEqual([])
    } finally {
      await setOption('TaskCopyDays', '1')
    }
  })

  it('stay bytes of a vendor that could have given links where nothing is stored', async () => {
    await setOption('TaskCopyDays', '0')
    try {
      nextAnswer = { created: 1, data: [{ b64_json: base64 }] }
      const { status, body } = await drawn('made-elsewhere', { response_format: 'url' })
      expect([status, body.data]).toEqual([200, [{ b64_json: base64 }]])
      expect(body.warnings).toEqual([expect.stringContaining('`TaskCopyDays`')])
    } finally {
      await setOption('TaskCopyDays', '1')
    }
  })

  it('keep the form of those that could be converted', async () => {
    nextAnswer = { created: 1, data: [{ url: link }, { url: `${vendorUrl}/gone.png` }] }
    const { body } = await drawn('cogview-4', { response_format: 'b64_json' })
    expect(body.data).toEqual([{ b64_json: base64 }, { url: `${vendorUrl}/gone.png` }])
    expect(body.warnings).toEqual([expect.stringMatching(/^data\[1\]/)])
  })

  it.each(['cogview-4', 'gpt-image-1'])(
    'are refused in a form that %s cannot have',
    async model => {
      const { status, body } = await drawn(model, { response_format: 'jpeg' })
      expect([status, body.error.message]).toEqual([
        400,
        expect.stringContaining("'response_format'"),
      ])
      expect(received).toEqual([])
    },
  )

  it.each(['made-elsewhere', 'gpt-image-1'])(
    'are refused as links of %s in a stream, whose events have bytes only',
    async model => {
      const fields = { response_format: 'url', stream: true }
      const { status, body } = await drawn(model, fields)
      expect([status, body.error.message]).toEqual([400, expect.stringContaining("'stream'")])
      expect(received).toEqual([])
    },
  )
})

describe('links of images', () => {
  const make = async (): Promise<string> => {
    nextAnswer = { created: 1, data: [{ b64_json: base64 }] }
    return (await drawn('gpt-image-1', { response_format: 'url' })).body.data[0].url
  }
  const folder = () => join(hub.app.app.env.dataDir, 'task-results')
  const stored = () => (existsSync(folder()) ? readdirSync(folder()) : [])

  it('lead to the address of the caller, need no key, and send parts', async () => {
    const url = await make()
    expect(url.startsWith(`${hub.url}/v1/images/files/image-`)).toBe(true)
    const whole = await readLink(url)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(whole.headers.get('content-security-policy')).toContain('sandbox')
    const part = await fetch(url, { headers: { range: 'bytes=0-3' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, png.subarray(0, 4)])
  })

  it('S26 cannot be forged, changed or prolonged', async () => {
    const [one, other] = [await make(), await make()]
    const { searchParams: own } = new URL(one)
    const expires = Number(own.get('expires'))
    const forged = [
      one.replace(/signature=.*/, 'signature='),
      one.replace(/\?.*/, ''),
      one.replace(`expires=${expires}`, `expires=${expires + 60}`),
      `${other.replace(/\?.*/, '')}?${own}`,
    ]
    for (const url of forged) expect((await readLink(url)).status).toBe(401)
  })

  it('end after a day, and their files are deleted then', async () => {
    const url = await make()
    await removeExpiredImages(hub.app.app)
    expect((await readLink(url)).status).toBe(200)
    hub.app.clock.now += (24 * 3_600 + 1) * 1_000
    expect((await readLink(url)).status).toBe(401)
    await removeExpiredImages(hub.app.app)
    expect(stored()).toEqual([])
    const rows = await hub.app.app.db.selectFrom('stored_images').selectAll().execute()
    expect(rows).toEqual([])
  })
})
