import OpenAI from 'openai'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { lastCharge } from './relay-calls.ts'
import { answerJson, answerStream, framesOf, receivedBody, useRelayHub } from './relay-hub.ts'

// Streams of speech in a vendor's own format: https://platform.minimax.io/docs/api-reference/speech-t2a-http

const hub = useRelayHub()
const model = 'speech-2.8-hd'
beforeAll(() => hub.addChannel(27, model))
beforeEach(() => hub.upstream.forget())

const client = () => new OpenAI({ apiKey: hub.key, baseURL: `${hub.url}/v1`, maxRetries: 0 })
const requestSpeech = (more: object = {}) =>
  client().audio.speech.create({
    ...{ model, input: '你好', voice: 'alloy', stream_format: 'sse' },
    ...more,
  })

const base_resp = { status_code: 0, status_msg: 'success' }
const part = (audio: string) => ({ data: { audio, status: 1 }, trace_id: 't', base_resp })
const last = { ...part(''), data: { audio: '', status: 2 }, extra_info: { usage_characters: 4 } }

it('the parts of the audio arrive as events of the caller’s API, charged by the characters that the vendor counts', async () => {
  hub.upstream.play(model, turn => answerStream(turn, [part('000102'), part('03'), last]))
  const response = await requestSpeech()
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(framesOf(await response.text())).toEqual([
    { type: 'speech.audio.delta', audio: 'AAEC' },
    { type: 'speech.audio.delta', audio: 'Aw==' },
    {
      type: 'speech.audio.done',
      usage: { input_tokens: 4, output_tokens: 0, total_tokens: 4 },
    },
  ])
  expect(receivedBody({ served: hub.upstream.served[0] } as never)).toMatchObject({
    text: '你好',
    stream: true,
    stream_options: { exclude_aggregated_audio: true },
  })
  expect(await lastCharge(hub)).toMatchObject({
    amount: 4,
    usage: { input: 4 },
    finish: 'complete',
    estimated: false,
  })
})

/** The vendor sends a part, and after the caller has it this event. Returns all that the caller receives. */
const endAfterFirstPart = async (event: object): Promise<string> => {
  let finish = () => {}
  hub.upstream.play(model, ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${JSON.stringify(part('00'))}\n\n`)
    finish = () => response.end(`data: ${JSON.stringify(event)}\n\n`)
  })
  const response = await requestSpeech()
  let text = ''
  for await (const chunk of response.body!) {
    if (text === '') finish()
    text += Buffer.from(chunk).toString()
  }
  return text
}

it('the first part reaches the caller before the vendor has made the second', async () => {
  const types = framesOf(await endAfterFirstPart(last)).map(each => each.type)
  expect(types).toEqual(['speech.audio.delta', 'speech.audio.done'])
})

it('an error of the vendor is the answer before the first part, and an event after it', async () => {
  const failure = { base_resp: { status_code: 2013, status_msg: 'invalid params' } }
  hub.upstream.play(model, turn => answerJson(turn, failure))
  await expect(requestSpeech()).rejects.toMatchObject({ status: 400 })
  hub.upstream.play(model, turn => answerStream(turn, [failure]))
  await expect(requestSpeech()).rejects.toMatchObject({ status: 400 })
  const [delta, error] = framesOf(await endAfterFirstPart(failure))
  expect([delta.type, error.error.message]).toEqual([
    'speech.audio.delta',
    expect.stringContaining('invalid params'),
  ])
})

it('a stream without its end is charged as broken, by the characters of the request', async () => {
  hub.upstream.play(model, turn => answerStream(turn, [part('00')]))
  expect(await (await requestSpeech()).text()).not.toContain('speech.audio.done')
  expect(await lastCharge(hub)).toMatchObject({ amount: 2, finish: 'upstream-broke' })
})
