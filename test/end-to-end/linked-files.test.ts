import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type FileHost, png, publicAddress, startFileHost } from '../harness/addresses/file-host.ts'
import type { Person } from '../harness/admin.ts'
import { chargesOf } from '../harness/ledger.ts'
import { describeOneEngine } from '../harness/runner/describe-engines.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { awsKeys } from '../upstream/dialects/aws.ts'

const pngBase64 = png.toString('base64')
const pdf = Buffer.from('%PDF-1.4\n%%EOF\n'.padEnd(200, ' '))

/** Channels of vendors that fetch nothing, by the type of the provider, with the model that each serves. */
const channels = {
  converse: [32, `${awsKeys.region}|key`, 'us.amazon.nova-pro-v1:0'],
  bedrock: [32, `${awsKeys.region}|key`, 'anthropic.claude-sonnet-4-5-20250929-v1:0'],
  gemini: [25, 'key', 'gemini-2.5-flash'],
  ollama: [39, 'key', 'gemma4:31b'],
  moonshot: [29, 'key', 'kimi-k2.6'],
  openai: [1, 'sk-key', 'gpt-4o'],
} as const
type Channel = keyof typeof channels
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects.
type Json = any

describeOneEngine(engine => {
  let files: FileHost
  let hub: TestHub
  let person: Person
  beforeAll(async () => {
    files = await startFileHost()
    hub = await startTestHub(engine, {
      env: {
        FETCH_DNS_SERVERS: files.names.address,
        FETCH_PRIVATE_RANGES: publicAddress,
        FETCH_PORTS: String(files.port),
      },
    })
    person = await hub.admin.addPerson(10_000_000)
    for (const [name, [type, key, model]] of Object.entries(channels))
      await hub.admin.addChannel(`${hub.upstream.url}/${name}`, {
        ...{ type, key, models: `m-${name}`, only_chat: true },
        model_mapping: JSON.stringify({ [`m-${name}`]: `+${model}` }),
      })
    await hub.admin.setPrice('m-*', 'tokens', 1, 1)
    await hub.admin.setOption('RetryTimes', '0')
  })
  afterAll(async () => {
    await hub?.close()
    await files?.close()
  })
  beforeEach(() => {
    files.requests.length = 0
    files.respond((_request, response) => void response.end(png))
    hub.upstream.forget()
  })

  const link = (path: string) => `http://good.example:${files.port}${path}`
  const image = (url: string) => ({ type: 'image_url', image_url: { url } })
  const call = async (path: string, body: object) => {
    const response = await fetch(`${hub.gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const chat = (channel: Channel, content: unknown[], more: object = {}) =>
    call('/v1/chat/completions', {
      model: `m-${channel}`,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, ...content] }],
      ...more,
    })
  const sentBody = () => {
    expect(hub.upstream.served).toHaveLength(1)
    return JSON.parse(String(hub.upstream.served[0]?.body))
  }

  it.each([
    [
      'converse',
      (body: Json) => body.messages[0].content[1].image,
      { format: 'png', source: { bytes: pngBase64 } },
    ],
    [
      'bedrock',
      (body: Json) => body.messages[0].content[1].source,
      { type: 'base64', media_type: 'image/png', data: pngBase64 },
    ],
    [
      'gemini',
      (body: Json) => body.contents[0].parts[1].inlineData,
      { mimeType: 'image/png', data: pngBase64 },
    ],
    [
      'ollama',
      (body: Json) => body.messages[0].content[1].image_url,
      { url: `data:image/png;base64,${pngBase64}` },
    ],
    [
      'moonshot',
      (body: Json) => body.messages[0].content[1].image_url,
      { url: `data:image/png;base64,${pngBase64}` },
    ],
  ] as const)('%s gets the bytes of a linked image', async (channel, read, expected) => {
    for (const stream of [false, true]) {
      hub.upstream.forget()
      await chat(channel, [image(link('/cat'))], { stream })
      expect(read(sentBody())).toEqual(expected)
    }
    expect(files.requests).toHaveLength(2)
  })

  it('a vendor that fetches by itself gets the address, and the gateway fetches nothing', async () => {
    const url = 'https://images.example/cat.png'
    expect((await chat('openai', [image(url)])).status).toBe(200)
    expect(sentBody().messages[0].content[1]).toEqual(image(url))
    expect(files.names.questions).not.toContain('A images.example')
  })

  it('a PDF of a Messages call reaches a vendor of chat completions under its name', async () => {
    files.respond((_request, response) => void response.end(pdf))
    const source = { type: 'url', url: link('/papers/q3.pdf?signature=secret') }
    const content = [{ type: 'document', source }]
    const messages = [{ role: 'user', content }]
    const answer = await call('/v1/messages', { model: 'm-openai', max_tokens: 9, messages })
    expect(answer.status).toBe(200)
    expect(sentBody().messages[0].content[0].file).toEqual({
      file_data: `data:application/pdf;base64,${pdf.toString('base64')}`,
      filename: 'q3.pdf',
    })
  })

  it('an address that occurs twice is fetched once, and several at the same time', async () => {
    const waiting: (() => void)[] = []
    files.respond((_request, response) => {
      waiting.push(() => response.end(png))
      if (waiting.length === 3) for (const each of waiting) each()
    })
    const urls = ['/1', '/2', '/1', '/3', '/2'].map(link)
    expect((await chat('converse', urls.map(image))).status).toBe(200)
    expect(sentBody().messages[0].content.filter((each: Json) => each.image)).toHaveLength(5)
    expect(files.requests.map(each => each.url).sort()).toEqual(['/1', '/2', '/3'])
  })

  it.each([
    ['/v1/chat/completions', 'invalid_request_error'],
    ['/v1/messages', 'invalid_request_error'],
    ['/v1/responses', 'invalid_request_error'],
    ['/v1beta/models/m-converse:generateContent', 'INVALID_ARGUMENT'],
  ])('a file that cannot be fetched is refused at %s, and costs nothing', async (path, type) => {
    files.respond((_request, response) => void response.writeHead(404).end())
    const url = link('/gone.png?signature=secret')
    const bodies: Record<string, object> = {
      '/v1/chat/completions': { messages: [{ role: 'user', content: [image(url)] }] },
      '/v1/messages': {
        max_tokens: 9,
        messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
      },
      '/v1/responses': {
        input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
      },
    }
    const contents = [{ role: 'user', parts: [{ fileData: { fileUri: url } }] }]
    const before = await chargesOf(hub.gateway, person.id)
    const body = bodies[path] ? { model: 'm-converse', ...bodies[path] } : { contents }
    const { status, text } = await call(path, body)
    expect([status, text]).toEqual([400, expect.stringContaining(type)])
    expect(text).toContain(`'${link('/gone.png')}': its server did not answer with 200 (404)`)
    expect(text).not.toContain('secret')
    await hub.settled()
    expect(await chargesOf(hub.gateway, person.id)).toEqual(before)
    expect(hub.upstream.served).toEqual([])
  })

  it('a failed fetch is not repeated for another channel, which may take the address itself', async () => {
    files.respond((_request, response) => void response.writeHead(404).end())
    const two = { models: 'm-two', name: 'two' }
    const key = `${awsKeys.region}|key`
    for (const priority of [9, 8])
      await hub.admin.addChannel(`${hub.upstream.url}/converse`, {
        ...{ ...two, type: 32, key, priority },
        model_mapping: JSON.stringify({ 'm-two': '+us.amazon.nova-pro-v1:0' }),
      })
    await hub.admin.addChannel(`${hub.upstream.url}/openai`, two)
    await hub.admin.setOption('RetryTimes', '3')
    const body = { model: 'm-two', messages: [{ role: 'user', content: [image(link('/gone'))] }] }
    expect((await call('/v1/chat/completions', body)).status).toBe(200)
    expect(sentBody().messages[0].content[0]).toEqual(image(link('/gone')))
    expect(files.requests).toHaveLength(1)
    await hub.admin.setOption('RetryTimes', '0')
  })

  it('a file of another kind than the field is refused', async () => {
    files.respond((_request, response) => void response.end(pdf))
    const { status, text } = await chat('converse', [image(link('/a.png'))])
    expect([status, text]).toEqual([400, expect.stringContaining('it is application/pdf')])
  })

  it('too many addresses, and more bytes than a body may have, are refused', async () => {
    const many = Array.from({ length: 33 }, (_, at) => image(link(`/${at}`)))
    expect((await chat('converse', many)).text).toContain('A request may have 32 addresses.')
    expect(files.requests).toEqual([])
    const large = Buffer.concat([png, Buffer.alloc(14 * 1024 * 1024)])
    files.respond((_request, response) => void response.end(large))
    const two = await chat('converse', [image(link('/1')), image(link('/2'))])
    expect([two.status, two.text]).toEqual([413, expect.stringContaining('32 MiB')])
    files.respond((_request, response) => void response.end(Buffer.concat([large, large])))
    const { status, text } = await chat('converse', [image(link('/3'))])
    expect([status, text]).toEqual([400, expect.stringContaining('larger than 20 MiB')])
    expect(hub.upstream.served).toEqual([])
  })

  it('the fetch ends when its caller leaves, and nothing is charged', async () => {
    const before = await chargesOf(hub.gateway, person.id)
    const controller = new AbortController()
    const closed = new Promise(resolve =>
      files.respond((request, response) => {
        request.socket.once('close', resolve)
        response.write(png)
        controller.abort()
      }),
    )
    const { key } = person
    const leaving = fetch(`${hub.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'm-converse',
        messages: [{ role: 'user', content: [image(link('/slow'))] }],
      }),
      signal: controller.signal,
    })
    await expect(leaving).rejects.toThrow()
    await closed
    await hub.settled()
    expect(await chargesOf(hub.gateway, person.id)).toEqual(before)
    expect(hub.upstream.served).toEqual([])
  })
})
