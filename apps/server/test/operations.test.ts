import OpenAI from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { lastCharge, sendCall } from './relay-calls.ts'
import { answerJson, answerStream, receivedBody, useRelayHub } from './relay-hub.ts'

const hub = useRelayHub()
const client = () => new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const errorOf = (work: Promise<unknown>): Promise<{ status: number; message: string }> =>
  work.then(
    () => {
      throw new Error('it was answered')
    },
    error => error,
  )

describe('moderations', () => {
  // https://platform.openai.com/docs/api-reference/moderations/object
  const answer = {
    id: 'modr-0d9740456c391e43c445bf0f010940c7',
    model: 'omni-moderation-latest',
    results: [
      { flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } },
    ],
  }
  beforeAll(() => hub.addChannel(1, 'omni-moderation-latest,text-moderation-stable'))

  it('the official client has its answer, charged by the text since no usage is reported', async () => {
    hub.upstream.play('omni-moderation-latest', turn => answerJson(turn, answer))
    const result = await client().moderations.create({
      model: 'omni-moderation-latest',
      input: ['a text', 'another'],
    })
    expect(result).toEqual(answer)
    const charge = await lastCharge(hub)
    expect(charge).toMatchObject({ estimated: false, finish: 'complete' })
    expect(charge?.amount).toBe(charge?.usage.input)
    // The words, and nothing of the JSON around them.
    expect(charge?.amount).toBe(3)
  })

  it('a request without a model is sent and charged as the default model', async () => {
    hub.upstream.play('text-moderation-stable', turn =>
      answerJson(turn, { ...answer, model: receivedBody(turn).model }),
    )
    const result = await client().moderations.create({ input: 'a text' })
    expect(result.model).toBe('text-moderation-stable')
  })

  it('an explicit price of 0 is free', async () => {
    const free = { model: 'omni-moderation-latest', type: 'tokens', input: 0, output: 0 }
    await hub.app.root.put(`/api/prices/single/${free.model}`, free)
    await client().moderations.create({ model: free.model, input: 'a text' })
    expect((await lastCharge(hub))?.amount).toBe(0)
  })
})

describe('speech', () => {
  const say = (model: string, input: string) =>
    client().audio.speech.create({ model, input, voice: 'alloy' })
  beforeAll(() => hub.addChannel(1, 'tts-1,gpt-4o-mini-tts'))

  it('the official client has the bytes and their type; a character is a token', async () => {
    const audio = Buffer.from(Uint8Array.from({ length: 200_000 }, (_, at) => at % 251))
    hub.upstream.play('tts-1', async ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      for (let at = 0; at < audio.length; at += 50_000)
        response.write(audio.subarray(at, at + 50_000))
      response.end()
    })
    const response = await say('tts-1', '你好, Welt')
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(Buffer.from(await response.arrayBuffer()).equals(audio)).toBe(true)
    expect(await lastCharge(hub)).toMatchObject({
      amount: 8,
      usage: { input: 8 },
      estimated: false,
    })
  })

  it('a caller who leaves before the last bytes is charged', async () => {
    let finish = () => {}
    hub.upstream.play('tts-1', ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.write('first')
      const timer = setInterval(() => response.write('more'), 5)
      finish = () => clearInterval(timer)
    })
    const body = { model: 'tts-1', input: '12345', voice: 'alloy' }
    const call = sendCall(hub, { path: '/v1/audio/speech', body })
    await new Promise(resolve => call.on('response', resolve))
    call.destroy()
    expect(await lastCharge(hub)).toMatchObject({ amount: 5, finish: 'caller-left' })
    finish()
  })

  it('a break after the first bytes breaks the connection to the caller', async () => {
    hub.upstream.play('tts-1', async ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '1000000' })
      // More than one chunk, so that the caller has the first of them.
      await new Promise(resolve => response.write(Buffer.alloc(500_000), resolve))
      response.destroy()
    })
    const response = await say('tts-1', '12345')
    await expect(response.arrayBuffer()).rejects.toThrow()
    expect(await lastCharge(hub)).toMatchObject({ amount: 5, finish: 'upstream-broke' })
  })

  it('the events of a stream report the tokens that are charged', async () => {
    // https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event
    const events = [
      { type: 'speech.audio.delta', audio: 'AAAA' },
      {
        type: 'speech.audio.done',
        usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 },
      },
    ]
    hub.upstream.play('gpt-4o-mini-tts', turn => answerStream(turn, events))
    const response = await client().audio.speech.create({
      model: 'gpt-4o-mini-tts',
      input: 'Hello',
      voice: 'alloy',
      stream_format: 'sse',
    })
    expect(await response.text()).toBe(
      events.map(each => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
    )
    expect(await lastCharge(hub)).toMatchObject({
      amount: 115,
      usage: { input: 14, audioOutput: 101 },
      estimated: false,
    })
  })

  it.each([
    ['input', { input: '' }],
    ['stream_format', { input: 'a', stream_format: 'mp3' }],
  ])(
    'a request without a valid %s is refused before the upstream is called',
    async (field, body) => {
      hub.upstream.forget()
      const error = await errorOf(
        client().audio.speech.create({ model: 'tts-1', voice: 'alloy', ...body } as never),
      )
      expect(error).toMatchObject({ status: 400, message: expect.stringContaining(field) })
      expect(hub.upstream.served).toEqual([])
    },
  )
})
