import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useRelayHub } from '../relay-hub.ts'
import { type FileVendor, startFileVendor } from './vendor.ts'

// A request names files by their ids; in a shared account they could be anybody's.

const hub = useRelayHub()
let vendor: FileVendor
let client: OpenAI
let stranger: OpenAI
let own: string

beforeAll(async () => {
  vendor = await startFileVendor()
  vendor.routes.push(({ method, path, account }) =>
    method === 'POST' && path === '/v1/responses'
      ? {
          json: {
            ...{ id: `resp_${account}`, object: 'response', status: 'completed', model: 'gpt-5.4' },
            output: [
              {
                type: 'message',
                id: 'msg_1',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'Read.', annotations: [] }],
              },
            ],
            usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
          },
        }
      : undefined,
  )
  const plugin = { storage: { files: true } }
  for (const name of ['one', 'two', 'three'])
    await hub.addChannel(1, 'gpt-5.4', {
      base_url: vendor.url,
      key: `account-${name}-a\naccount-${name}-b`,
      plugin,
      name,
    })
  await hub.addChannel(14, 'claude-x', { base_url: vendor.url })
  await hub.addChannel(25, 'gemini-x', { base_url: vendor.url })
  client = clientOf(hub.key)
  const person = await hub.app.person(1, { quota: 1_000_000_000 })
  const made = await person.post('/api/token/', { name: 'own', unlimited_quota: true })
  stranger = clientOf(made.body.data.key)
  own = await upload(client)
})
afterAll(() => vendor?.close())
beforeEach(() => {
  vendor.calls.length = 0
})

const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const upload = async (by: OpenAI) =>
  (
    await by.files.create({
      file: await toFile(Buffer.from('text'), 'a.txt'),
      purpose: 'user_data',
    })
  ).id

const ask = (by: OpenAI, ...content: object[]) =>
  by.responses.create({ model: 'gpt-5.4', input: [{ role: 'user', content: content as never }] })
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it was answered'),
    (error: InstanceType<typeof OpenAI.APIError>) => error,
  )

describe('a file in a request', () => {
  it('goes to the account that stores it', async () => {
    const { account } = vendor.files.get(own)!
    for (let at = 0; at < 5; at += 1) await ask(client, { type: 'input_file', file_id: own })
    expect(new Set(vendor.calls.map(each => each.account))).toEqual(new Set([account]))
  })

  it('S26 of somebody else is an unknown one, wherever the request names it', async () => {
    const bodies: [path: string, body: object][] = [
      [
        '/v1/responses',
        { input: [{ role: 'user', content: [{ type: 'input_file', file_id: own }] }] },
      ],
      [
        '/v1/responses',
        { input: [{ role: 'user', content: [{ type: 'input_image', file_id: own }] }] },
      ],
      [
        '/v1/responses',
        {
          input: 'x',
          tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [own] } }],
        },
      ],
      [
        '/v1/responses',
        { input: 'x', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
      ],
      [
        '/v1/responses/input_tokens',
        { input: [{ role: 'user', content: [{ type: 'input_file', file_id: own }] }] },
      ],
      [
        '/v1/chat/completions',
        { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: own } }] }] },
      ],
    ]
    for (const [path, body] of bodies)
      expect(
        await failure(stranger.post(path.slice(3), { body: { model: 'gpt-5.4', ...body } })),
      ).toMatchObject({ status: 404, code: 'stored_unknown' })
    const claude = await hub.post('/v1/messages', {
      ...{ model: 'claude-x', max_tokens: 5 },
      messages: [
        {
          role: 'user',
          content: [{ type: 'document', source: { type: 'file', file_id: 'file_other' } }],
        },
      ],
    })
    expect([claude.status, await claude.json()]).toMatchObject([
      404,
      { error: { type: 'not_found_error' } },
    ])
    const file = {
      fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc',
      mimeType: 'text/plain',
    }
    for (const body of [
      { contents: [{ parts: [{ fileData: file }] }] },
      { contents: [{ parts: [{ text: 'x' }] }], cachedContent: 'cachedContents/abc' },
    ]) {
      const gemini = await hub.post('/v1beta/models/gemini-x:generateContent', body)
      expect([gemini.status, await gemini.json()]).toMatchObject([
        404,
        { error: { status: 'NOT_FOUND' } },
      ])
    }
    expect(vendor.calls).toEqual([])
  })

  it('S26 of somebody else cannot hide behind an escape or a second field of its name', async () => {
    const file = (fields: string) =>
      `{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":"input_file",${fields}}]}]}`
    const send = (body: string) =>
      fetch(`${hub.url}/v1/responses`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${stranger.apiKey}` },
        body,
      })
    const mine = await upload(stranger)
    vendor.calls.length = 0
    expect((await send(file(`"\\u0066ile_id":"${own}"`))).status).toBe(404)
    expect((await send(file(`"file_id":"${own}","file_id":"${mine}"`))).status).toBe(400)
    expect((await send(file(`"\\u0066ile_id":"${own}","file_id":"${mine}"`))).status).toBe(400)
    expect((await send(file(`"file_id":"${own}","type":"file_citation"`))).status).toBe(400)
    expect(vendor.calls).toEqual([])
    expect(
      (await send(file(`"file_id":"${mine}","filename":"\\u00e9 \\"file_id\\": x"`))).status,
    ).toBe(200)
  })

  it('of two accounts cannot be used together', async () => {
    const { object, content } = vendor.files.get(own)!
    const [row] = await hub.app.app.db
      .selectFrom('stored_resources')
      .selectAll()
      .where('id', '=', own)
      .execute()
    const other = { ...row!, id: 'file-elsewhere', credential: 'another' }
    await hub.app.app.db.insertInto('stored_resources').values(other).execute()
    vendor.files.set('file-elsewhere', { account: 'x', object, content })
    const error = await failure(
      ask(
        client,
        { type: 'input_file', file_id: own },
        { type: 'input_file', file_id: 'file-elsewhere' },
      ),
    )
    expect(error).toMatchObject({ status: 400, code: 'stored_mixed' })
  })

  it('arguments, schemas and citations may use the names as they like', async () => {
    const item = { type: 'file_citation', file_id: 'file-cited', index: 0, filename: 'a' }
    const answer = await stranger.responses.create({
      model: 'gpt-5.4',
      metadata: { file_id: 'anything' },
      tools: [
        {
          type: 'function',
          name: 'read',
          strict: false,
          parameters: { type: 'object', properties: { file_id: { type: 'string', default: 'x' } } },
        },
      ],
      input: [
        { role: 'user', content: 'The key "file_id": is a word.' },
        {
          type: 'message',
          id: 'msg_0',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Cited', annotations: [item] as never }],
        },
        { type: 'function_call', call_id: 'c', name: 'read', arguments: '{"file_id":"anything"}' },
        { type: 'function_call_output', call_id: 'c', output: '{"file_id":"anything"}' },
      ],
    })
    expect(answer.output_text).toBe('Read.')
  })
})
