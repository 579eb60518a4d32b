import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Vendor } from '../../conformance/cell.ts'
import type { NeutralResponse } from '../../conformance/neutral.ts'
import { addVendorChannels } from '../../conformance/run.ts'
import { vendors } from '../../conformance/vendors/index.ts'
import { describeOneEngine } from '../../harness/runner/describe-engines.ts'
import { type Event, isEnd, openSocket } from '../../harness/sockets/client.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'
import { playAnswers } from './play-answers.ts'
import { compacted, response, streamed } from './schema.ts'

// The checks of the acceptance tests of Open Responses that call a server, written from its schema and guide:
// https://www.openresponses.org/compliance. Another version of the published suite also has `file-input`,
// `function-call-roundtrip` and `previous-response-id`.

const usage = { input: 20, output: 6 }
const textAnswer: NeutralResponse = { pieces: [{ text: 'One two three.' }], finish: 'stop', usage }
const callAnswer: NeutralResponse = {
  pieces: [{ call: 'get_weather', id: 'call_1', input: { location: 'Paris' } }],
  finish: 'tools',
  usage,
}

const message = (role: string, content: unknown, more = {}) => ({
  type: 'message',
  role,
  content,
  ...more,
})
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = Buffer.from('%PDF-1.1\n%%EOF').toString('base64')
const weather = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { location: { type: 'string' } } },
}

/** Requests that are posted, and the vendor's answer to each. */
const posted: Readonly<Record<string, { body: object; answer?: NeutralResponse }>> = {
  'basic-response': { body: { input: [message('user', 'Say hello.')] } },
  'assistant-phase': {
    body: {
      input: [
        message('assistant', 'I look it up.', { phase: 'commentary' }),
        message('assistant', 'Four.', { phase: 'final_answer' }),
        message('user', 'Again.'),
      ],
    },
  },
  'system-prompt': { body: { input: [message('system', 'Be brief.'), message('user', 'Hello.')] } },
  'tool-calling': {
    body: { input: [message('user', 'How is the weather?')], tools: [weather] },
    answer: callAnswer,
  },
  'image-input': {
    body: {
      input: [
        message('user', [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
        ]),
      ],
    },
  },
  'file-input': {
    body: {
      input: [
        message('user', [
          { type: 'input_text', text: 'Read the file.' },
          {
            type: 'input_file',
            filename: 'a.pdf',
            file_data: `data:application/pdf;base64,${pdf}`,
          },
        ]),
      ],
    },
  },
  'multi-turn': {
    body: {
      input: [
        message('user', 'My name is Alice.'),
        message('assistant', 'Hello Alice.'),
        message('user', 'What is my name?'),
      ],
    },
  },
}

/** A request with every field that its response repeats. */
const wishes = {
  input: 'Hello.',
  instructions: 'Be brief.',
  max_output_tokens: 99,
  metadata: { a: 'b' },
  parallel_tool_calls: false,
  prompt_cache_key: 'k',
  safety_identifier: 's',
  store: false,
  text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' } } },
  tools: [weather],
  tool_choice: 'auto',
}

describeOneEngine(engine => {
  let hub: TestHub
  let key: string
  beforeAll(async () => {
    hub = await startTestHub(engine)
    key = (await addVendorChannels(hub, vendors)).key
    await hub.admin.setOption('KeepResponsesEnabled', 'true')
  })
  afterAll(() => hub?.close())

  const authorization = () => ({ authorization: `Bearer ${key}` })
  const answering = (vendor: Vendor, ...answers: NeutralResponse[]): string =>
    playAnswers(hub, vendor, ...answers)

  const post = async (path: string, body: object) => {
    const result = await fetch(`${hub.gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authorization() },
      body: JSON.stringify(body),
    })
    return { status: result.status, text: await result.text() }
  }
  const eventsIn = (text: string): Event[] =>
    text.split('\n').flatMap(line => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))
  const problemsOf = (events: readonly Event[]) =>
    events.flatMap((each, at) => streamed(each, `event ${at}`))

  /** The response to a posted request, which its schema accepts. */
  const askOnce = async (body: object, isStream: boolean): Promise<Event> => {
    const { status, text } = await post('/v1/responses', { ...body, stream: isStream })
    expect([status, text.slice(0, status === 200 ? 0 : 500)]).toEqual([200, ''])
    const events = isStream ? eventsIn(text) : []
    expect(problemsOf(events)).toEqual([])
    const last = isStream ? events.at(-1).response : JSON.parse(text)
    expect(response(last, 'response')).toEqual([])
    return last
  }
  const open = () => openSocket(`${hub.gateway.url}/v1/responses`, authorization())
  const create = (model: string, fields: object) => ({
    type: 'response.create',
    store: false,
    model,
    ...fields,
  })

  describe.each(vendors)('a vendor of $dialect', vendor => {
    it.each(Object.keys(posted))('passes %s, whole and streamed', async name => {
      const { body, answer = textAnswer } = posted[name]!
      for (const isStream of [false, true]) {
        const last = await askOnce({ ...body, model: answering(vendor, answer) }, isStream)
        expect(last.status).toBe('completed')
        expect(last.completed_at).toBeGreaterThan(0)
        const type = answer === callAnswer ? 'function_call' : 'message'
        expect(last.output.map((each: Event) => each.type)).toEqual([type])
      }
    })

    it('passes function-call-roundtrip', async () => {
      const model = answering(vendor, callAnswer, textAnswer)
      const tool_choice = { type: 'function', name: 'get_weather' }
      const input = [message('user', 'How is the weather?')]
      const first = await askOnce({ model, input, tools: [weather], tool_choice }, false)
      const [{ call_id }] = first.output
      const output = { type: 'function_call_output', call_id, output: '18 degrees' }
      const next = { model, input: [...input, ...first.output, output], tools: [weather] }
      expect((await askOnce(next, false)).output).toMatchObject([{ type: 'message' }])
    })

    // The vendor of the tests stores nothing that it played.
    it.skipIf(vendor.dialect === 'openai-responses')(
      'passes previous-response-id (a native vendor stores its responses itself)',
      async () => {
        const model = answering(vendor, textAnswer)
        const { id } = await askOnce({ model, input: 'The word is papaya.' }, false)
        const next = { model, input: 'The word?', previous_response_id: id }
        expect((await askOnce(next, false)).status).toBe('completed')
        expect(String(hub.upstream.served.at(-1)!.body)).toContain('papaya')
      },
    )

    it('passes streaming-response and tool-calling-streaming', async () => {
      const model = answering(vendor, callAnswer)
      const body = { model, input: 'Weather?', tools: [weather], stream: true }
      const types = eventsIn((await post('/v1/responses', body)).text).map(each => each.type)
      for (const type of ['output_item.added', 'function_call_arguments.delta'])
        expect(types).toContain(`response.${type}`)
      for (const type of ['function_call_arguments.done', 'output_item.done', 'completed'])
        expect(types).toContain(`response.${type}`)
    })

    // A vendor of the dialect itself states the fields as it likes.
    it.skipIf(vendor.dialect === 'openai-responses')(
      'repeats what was asked for, whole and streamed (a native vendor repeats it itself)',
      async () => {
        for (const isStream of [false, true]) {
          const model = answering(vendor, textAnswer)
          const last = await askOnce({ ...wishes, model }, isStream)
          const { input, tools, text, ...plain } = wishes
          expect(last).toMatchObject(plain)
          expect(last.tools).toMatchObject(tools)
          expect(last.text).toMatchObject(text)
        }
      },
    )

    it('passes websocket-response and websocket-sequential-responses', async () => {
      const model = answering(vendor, textAnswer)
      const client = await open()
      for (const input of ['first', 'second']) {
        client.send(create(model, { input }))
        const last = await client.next(isEnd)
        expect(response(last.response, input)).toEqual([])
        expect(last.response.status).toBe('completed')
      }
      expect(problemsOf(client.events)).toEqual([])
      client.socket.close()
    })

    it('passes websocket-continuation and websocket-reconnect-store-false-recovery', async () => {
      const model = answering(vendor, textAnswer)
      const client = await open()
      client.send(create(model, { input: 'The word is cobalt.' }))
      const { id } = (await client.next(isEnd)).response
      client.send(create(model, { input: 'The word?', previous_response_id: id }))
      const second = await client.next(isEnd)
      expect(response(second.response, 'continued')).toEqual([])
      expect(problemsOf(client.events)).toEqual([])
      client.socket.close()

      const again = await open()
      again.send(create(model, { input: 'The word?', previous_response_id: id }))
      expect((await again.next(isEnd)).error.code).toBe('previous_response_not_found')
      again.send(create(model, { input: [message('user', 'A new start.')] }))
      const recovered = await again.next(isEnd)
      expect(response(recovered.response, 'recovered')).toEqual([])
      again.socket.close()
    })

    it('passes websocket-previous-response-not-found', async () => {
      const client = await open()
      const model = answering(vendor, textAnswer)
      client.send(create(model, { input: 'Hi.', previous_response_id: 'resp_of_nobody' }))
      expect((await client.next(isEnd)).error.code).toBe('previous_response_not_found')
      client.socket.close()
    })

    it('passes websocket-failed-continuation-evicts-cache', async () => {
      const model = answering(vendor, textAnswer)
      const client = await open()
      client.send(create(model, { input: 'The word is ember.' }))
      const { id } = (await client.next(isEnd)).response
      const orphan = { type: 'function_call_output', call_id: 'call_of_nobody', output: 'x' }
      client.send(create(model, { input: [orphan], previous_response_id: id }))
      const failed = await client.next(isEnd)
      expect([failed.type, failed.status]).toEqual(['error', 400])
      client.send(create(model, { input: 'The word?', previous_response_id: id }))
      expect((await client.next(isEnd)).error.code).toBe('previous_response_not_found')
      client.socket.close()
    })

    const toCompact = [
      message('user', [{ type: 'input_text', text: 'Remember the word: slate.' }]),
      message('assistant', [{ type: 'output_text', text: 'OK.' }]),
      message('user', [{ type: 'input_text', text: 'Compress this conversation.' }]),
    ]

    it('passes compact-response and websocket-compact-new-chain', async () => {
      const model = answering(vendor, textAnswer)
      const { status, text } = await post('/v1/responses/compact', {
        ...{ model, prompt_cache_key: 'k', input: toCompact },
      })
      expect([status, text.slice(0, status === 200 ? 0 : 500)]).toEqual([200, ''])
      const result = JSON.parse(text)
      expect(compacted(result, 'compacted')).toEqual([])
      expect(result.output.at(-1).type).toBe('compaction')

      const client = await open()
      const input = [...result.output, message('user', 'Continue.')]
      client.send(create(model, { input, tools: [] }))
      const last = await client.next(isEnd)
      expect(response(last.response, 'after the compaction')).toEqual([])
      expect(last.response.status).toBe('completed')
      expect(problemsOf(client.events)).toEqual([])
      client.socket.close()
    })

    it('passes compact-missing-model', async () => {
      const { status } = await post('/v1/responses/compact', { input: [message('user', 'Hi.')] })
      expect(status).toBe(400)
    })
  })
})
