import { generateKeyPairSync } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { GoogleGenAI, type LiveServerMessage, Modality } from '@google/genai'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  openSocket,
  refusedUpgrade,
  type SocketClient,
} from '../../../test/harness/sockets/client.ts'
import {
  answerTurn,
  completeTurn,
  type LiveVendor,
  liveUsage,
  startAnswer,
  startLiveVendor,
} from '../../../test/harness/sockets/live-vendor.ts'
import {
  certificate,
  startTlsProxy,
  type TlsProxy,
} from '../../../test/harness/sockets/tls-proxy.ts'
import { drainCalls } from '../src/close-app.ts'
import { useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
let vendor: LiveVendor
let proxy: TlsProxy
let client: SocketClient

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const serviceAccount = JSON.stringify({
  ...{ type: 'service_account', client_email: 'hub@p.iam.gserviceaccount.com' },
  ...{
    private_key_id: 'made-up',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  },
})

beforeAll(async () => {
  // The official client has no option for the certificate of its WebSocket.
  setDefaultCACertificates([...getCACertificates(), certificate])
  vendor = await startLiveVendor()
  proxy = await startTlsProxy(hub.url)
  const mapped = { model_mapping: JSON.stringify({ 'gemini-mapped': '+gemini-live-2' }) }
  await hub.addChannel(25, 'gemini-live,gemini-mapped,gemini-unknown', {
    ...{ base_url: `${vendor.url}/a`, ...mapped },
  })
  await hub.addChannel(42, 'gemini-live-vertex', {
    ...{ base_url: vendor.url, key: serviceAccount, other: 'us-east5|p' },
  })
  await hub.addChannel(1, 'gpt-realtime', { base_url: vendor.url })
})
afterAll(async () => {
  client?.socket.terminate()
  await proxy?.close()
  await vendor?.close()
})
beforeEach(() => {
  vendor.onMessage = answerTurn
  vendor.sessions.length = 0
})

const service = 'google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const authorization = () => ({ authorization: `Bearer ${hub.key}` })
const connect = async (
  headers: Record<string, string> = authorization(),
  path = `/ws/${service}`,
) => {
  client?.socket.terminate()
  client = await openSocket(`${hub.url}${path}`, headers)
  return client
}
const begin = async (model = 'gemini-live', fields: object = {}, headers = authorization()) => {
  await connect(headers)
  client.send({ setup: { model: `models/${model}`, ...fields } })
  await client.next(each => 'setupComplete' in each)
  return vendor.sessions.at(-1)!
}
const turn = () => {
  client.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hi' }] }] } })
  return client.next(each => each.serverContent?.turnComplete)
}

type Charge = { amount: number; usage: Record<string, unknown>; estimated: boolean; model: string }
/** The charges that were made while `work` ran, once no hold is open. */
const charged = async (work: () => Promise<unknown>): Promise<Charge[]> => {
  const { db } = hub.app.app
  const rows = () =>
    db.selectFrom('transfers').selectAll().where('kind', '=', 'request').orderBy('id').execute()
  const before = await rows()
  await work()
  client?.socket.close()
  const openHolds = () => db.selectFrom('holds').select('id').execute()
  await expect.poll(openHolds, { interval: 5 }).toEqual([])
  return (await rows()).slice(before.length).map(({ amount, usage }) => ({
    amount,
    ...JSON.parse(usage),
  }))
}
const classes = { input: 400, audioInput: 12, output: 16, audioOutput: 80 }

const official = async (onMessage: (message: LiveServerMessage) => void) => {
  const ai = new GoogleGenAI({
    apiKey: hub.key,
    httpOptions: { baseUrl: `https://localhost:${proxy.port}` },
  })
  return ai.live.connect({
    model: 'gemini-live',
    config: {
      responseModalities: [Modality.AUDIO],
      tools: [{ functionDeclarations: [{ name: 'clock' }] }],
    },
    callbacks: { onmessage: onMessage, onerror: () => undefined, onclose: () => undefined },
  })
}

it('the official client has turns of text, of audio and with a tool, each charged by its disjoint tokens', async () => {
  const seen: LiveServerMessage[] = []
  const complete = (turns: number) =>
    expect.poll(() => seen.filter(each => each.serverContent?.turnComplete).length).toBe(turns)
  vendor.onMessage = (session, message) => {
    if (message.realtimeInput?.audioStreamEnd || message.clientContent) return answerTurn(session)
    if (message.toolResponse) return answerTurn(session)
    if (message.realtimeInput?.text)
      session.send({ toolCall: { functionCalls: [{ id: '1', name: 'clock', args: {} }] } })
  }
  const rows = await charged(async () => {
    const session = await official(message => seen.push(message))
    session.sendClientContent({ turns: 'Hi' })
    await complete(1)
    session.sendRealtimeInput({ audio: { data: 'AAAA', mimeType: 'audio/pcm;rate=16000' } })
    session.sendRealtimeInput({ audioStreamEnd: true })
    await complete(2)
    session.sendRealtimeInput({ text: 'What time is it?' })
    await expect.poll(() => seen.some(each => each.toolCall)).toBe(true)
    const functionResponses = [{ id: '1', name: 'clock', response: { time: 'noon' } }]
    session.sendToolResponse({ functionResponses })
    await complete(3)
    session.close()
  })
  expect(rows).toHaveLength(3)
  for (const row of rows) expect(row).toMatchObject({ usage: classes, model: 'gemini-live' })
  expect(Object.values(classes).reduce((a, b) => a + b)).toBe(liveUsage.totalTokenCount)
  const audio = seen.flatMap(each => each.serverContent?.modelTurn?.parts ?? [])
  expect(audio[0]?.inlineData?.mimeType).toBe('audio/pcm;rate=24000')
  const [{ request, setup, received }] = vendor.sessions as [LiveVendor['sessions'][0]]
  expect(request.url).toBe(`/a/ws/${service}`)
  expect(request.headers['x-goog-api-key']).toBe('vendor-key')
  expect(JSON.stringify(request.rawHeaders)).not.toContain(hub.key)
  expect(setup.tools).toEqual([{ functionDeclarations: [{ name: 'clock' }] }])
  expect(received[1].realtimeInput.audio.data).toBe('AAAA')
})

it.each([
  ['two slashes and the key in the address', () => [`//ws/${service}?key=${hub.key}`, {}]],
  ['v1', () => [`/ws/${service.replace('v1beta', 'v1')}`, { 'x-goog-api-key': hub.key }]],
  [
    'v1alpha below a path',
    () => [`/gemini/ws/${service.replace('v1beta', 'v1alpha')}`, authorization()],
  ],
  [
    'the path of Vertex AI',
    () => ['/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent', authorization()],
  ],
] as [string, () => [string, Record<string, string>]][])(
  'a session is opened by %s',
  async (_name, request) => {
    const [path, headers] = request()
    await connect(headers, path)
    client.send({ setup: { model: 'models/gemini-live' } })
    await client.next(each => 'setupComplete' in each)
    await turn()
  },
)

it('a mapped model has its own name at the vendor and its requested name in the charge', async () => {
  const rows = await charged(async () => {
    const { setup } = await begin('gemini-mapped')
    expect(setup.model).toBe('models/gemini-live-2')
    await turn()
  })
  expect(rows).toMatchObject([{ model: 'gemini-mapped', usage: classes }])
})

it('a channel of Vertex AI has its own address, key and name of the model', async () => {
  const { request, setup } = await begin('gemini-live-vertex')
  expect(request.url).toBe('/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent')
  expect(request.headers.authorization).toMatch(/^Bearer ey/)
  expect(setup.model).toBe(
    'projects/p/locations/us-east5/publishers/google/models/gemini-live-vertex',
  )
})

it('messages behind the first one reach the vendor in order', async () => {
  await connect()
  client.send({ setup: { model: 'models/gemini-live' } })
  for (const text of ['one', 'two']) client.send({ realtimeInput: { text } })
  await client.next(each => each.serverContent?.turnComplete)
  await expect
    .poll(() => vendor.sessions[0]?.received.map(each => each.realtimeInput.text))
    .toEqual(['one', 'two'])
})

it('a session is cut with a reason where the balance does not cover the next turn', async () => {
  const { root } = hub.app
  const fixed = { model: 'gemini-live-fixed', type: 'times', input: 1, output: 1 }
  await root.post('/api/prices/single', fixed)
  const channel = { type: 25, name: 'f', models: fixed.model, key: 'vendor-key', group: 'default' }
  await root.post('/api/channel/', { ...channel, base_url: vendor.url })
  const person = await hub.app.person(1, { quota: 3_000 })
  const { key } = (await person.post('/api/token/', { name: 't', unlimited_quota: true })).body.data
  const rows = await charged(async () => {
    await begin(fixed.model, {}, { authorization: `Bearer ${key}` })
    for (let n = 0; n < 3; n++) await turn()
    expect(await client.closed).toEqual({
      code: 1008,
      reason: expect.stringMatching(/balance|quota/i),
    })
  })
  expect(rows.map(each => each.amount)).toEqual([1_000, 1_000, 1_000])
})

it('a turn without its end is charged by what was reported or delivered', async () => {
  vendor.onMessage = session => {
    startAnswer(session)
    session.socket.close()
  }
  const rows = await charged(async () => {
    await begin()
    client.send({ clientContent: {} })
    expect((await client.closed).code).toBe(1011)
  })
  expect(rows).toMatchObject([{ estimated: true, usage: { audioOutput: 3, output: 2 } }])
})

it("the caller's own mistake is explained in the vendor's words", async () => {
  vendor.onMessage = ({ socket }) => socket.close(1007, 'Precondition check failed.')
  await begin()
  client.send({ realtimeInput: { activityEnd: {} } })
  expect((await client.closed).reason).toContain('Precondition check failed.')
})

it('a session is continued at the account that has it, by its owner only', async () => {
  const vendorSession = await begin()
  const update = { newHandle: 'their-handle', resumable: true }
  vendorSession.send({ sessionResumptionUpdate: update })
  const message = await client.next(each => each.sessionResumptionUpdate)
  const handle: string = message.sessionResumptionUpdate.newHandle
  expect(handle).not.toContain('their-handle')
  const resumed = await begin('gemini-live', { sessionResumption: { handle } })
  expect(resumed.setup.sessionResumption).toEqual({ handle: 'their-handle' })

  const stranger = await hub.app.person(1, { quota: 100_000 })
  const { key } = (await stranger.post('/api/token/', { name: 't', unlimited_quota: true })).body
    .data
  await connect({ authorization: `Bearer ${key}` })
  client.send({ setup: { model: 'models/gemini-live', sessionResumption: { handle } } })
  expect(await client.closed).toMatchObject({
    code: 1008,
    reason: expect.stringContaining('handle'),
  })
})

it.each([
  ['no setup', { clientContent: {} }, 1008, /setup/],
  ['no model', { setup: {} }, 1008, /model/],
  ['an unknown model', { setup: { model: 'models/nobody-has-this' } }, 1008, /No channel/],
  ['a model that the vendor lacks', { setup: { model: 'gemini-unknown' } }, 1008, /./],
  ['a model of another format', { setup: { model: 'gpt-realtime' } }, 1011, /supports/],
])(
  '%s is refused in the close frame, and nothing stays reserved',
  async (_name, first, code, reason) => {
    const rows = await charged(async () => {
      await connect()
      client.send(first)
      expect(await client.closed).toEqual({ code, reason: expect.stringMatching(reason) })
    })
    expect(rows).toEqual([])
  },
)

it('a caller who sends nothing is disconnected after 5 seconds', async () => {
  await connect()
  expect(await client.closed).toEqual({
    code: 1008,
    reason: expect.stringContaining('5 seconds'),
  })
})

it('a wrong key and a temporary key are refused over HTTP', async () => {
  const wrong = await refusedUpgrade(`${hub.url}/ws/${service}?key=sk-wrong`, {})
  expect([wrong.status, JSON.parse(wrong.body).error.status]).toEqual([401, 'UNAUTHENTICATED'])
  const path = `/ws/${service}Constrained?access_token=auth_tokens/x`
  const constrained = await refusedUpgrade(`${hub.url}${path}`, authorization())
  expect(constrained.status).toBe(501)
  expect(JSON.parse(constrained.body).error.details[0].reason).toBe('SESSION_DIRECT')
})

it('a caller who leaves while the channel is asked holds nothing', async () => {
  const rows = await charged(async () => {
    await connect()
    client.send({ setup: { model: 'models/gemini-live' } })
    client.socket.terminate()
    await client.closed
  })
  expect(rows).toEqual([])
})

it('a server that stops announces it, after the running turn', async () => {
  const { app } = hub.app
  vendor.onMessage = session => startAnswer(session)
  const vendorSession = await begin()
  client.send({ clientContent: {} })
  await client.next(each => each.serverContent?.generationComplete)
  const drained = drainCalls(app, app.monotonic() + 20_000)
  completeTurn(vendorSession)
  expect((await client.closed).code).toBe(1001)
  expect(client.events.at(-1)).toEqual(JSON.parse('{"goAway":{"timeLeft":"0s"}}'))
  expect(client.events.at(-2)?.serverContent?.turnComplete).toBe(true)
  await drained
})

it('a session is never sent a link to what is not the caller’s', async () => {
  const fileUri = 'gs://bucket/secret'
  const part = { fileData: { mimeType: 'text/plain', fileUri } }
  await connect()
  client.send({ setup: { model: 'models/gemini-live' } })
  await client.next(each => each.setupComplete)
  client.send({ clientContent: { turns: [{ role: 'user', parts: [part] }] } })
  expect(await client.closed).toMatchObject({ code: 1008 })
  expect(vendor.sessions.flatMap(each => each.received)).toEqual([])

  await connect()
  client.send({ setup: { model: 'models/gemini-live', systemInstruction: { parts: [part] } } })
  expect(await client.closed).toMatchObject({ code: 1008 })
  expect(vendor.sessions).toHaveLength(1)
})
