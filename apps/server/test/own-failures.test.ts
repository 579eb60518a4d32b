import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Play } from '../../../test/upstream/start.ts'
import { errorLog } from '../src/relay/error-log/error-log.ts'
import { answerJson, type Json, useRelayHub } from './relay-hub.ts'

// Failures within an answer of status 200 that the request itself causes: the vendor's own frame reaches a caller of its dialect.

const hub = useRelayHub()
const models = ['own-chat', 'own-responses', 'own-messages', 'own-gemini', 'own-server']
beforeAll(async () => {
  for (const model of models) await hub.addChannel(67, model, { name: `${model}-1` })
  for (const model of models) await hub.addChannel(67, model, { name: `${model}-2` })
})
beforeEach(() => hub.upstream.forget())

const sse = (data: object, event = '') =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(data, null, 0).replace('{', '{ ')}\n\n`
const response = { id: 'resp_1', object: 'response', model: 'm', output: [], usage: null }
const contentFilter = { code: 'content_filter', message: 'The prompt was filtered.' }

/** A beginning, an output, and a failure, as the vendor of each dialect sends them. */
const dialects = {
  'own-chat': {
    path: '/v1/chat/completions',
    begin: '',
    output: sse({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' } }] }),
    failure: sse({
      error: {
        ...{ message: 'Failed to call a function.', type: 'invalid_request_error' },
        ...{ code: 'tool_use_failed', failed_generation: '' },
      },
    }),
  },
  'own-responses': {
    path: '/v1/responses',
    begin: sse(
      { type: 'response.created', response: { ...response, status: 'in_progress' } },
      'response.created',
    ),
    output: sse(
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: 'Hi.',
      },
      'response.output_text.delta',
    ),
    failure: sse(
      {
        type: 'response.failed',
        response: { ...response, status: 'failed', error: contentFilter },
      },
      'response.failed',
    ),
  },
  'own-messages': {
    path: '/v1/messages',
    begin: sse(
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          usage: { input_tokens: 1, output_tokens: 0 },
        },
      },
      'message_start',
    ),
    output:
      sse(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        'content_block_start',
      ) +
      sse(
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
        'content_block_delta',
      ),
    failure: sse(
      { type: 'error', error: { type: 'content_filter', message: 'Filtered.' } },
      'error',
    ),
  },
  'own-gemini': {
    path: '/v1beta/models/own-gemini:streamGenerateContent?alt=sse',
    begin: '',
    output: sse({
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hi.' }] } }],
    }),
    failure: sse({
      error: { code: 'content_filter', message: 'Filtered.', status: 'INVALID_ARGUMENT' },
    }),
  },
} as const
type Name = keyof typeof dialects

const stream =
  (text: string): Play =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(text)
  }

const bodyOf = (path: string, model: string, more: object = { stream: true }) => {
  if (path.includes('Content')) return { contents: [{ parts: [{ text: 'Hi.' }] }] }
  if (path.endsWith('/responses')) return { model, input: 'Hi.', store: false, ...more }
  return { model, max_tokens: 50, messages: [{ role: 'user', content: 'Hi.' }], ...more }
}
const ask = async (path: string, model: string, more?: object) => {
  const answered = await hub.post(path, bodyOf(path, model, more))
  return { status: answered.status, text: await answered.text() }
}
const newestRow = async (model: string): Promise<Json> => {
  await errorLog(hub.app.app).flush()
  const { body } = await hub.app.root.get(`/api/log/?model_name=${model}&order=-id&size=1`)
  return body.data.data[0]
}

it.each(Object.keys(dialects) as Name[])(
  'a stream that fails before its output for what the request is passes in the dialect of %s, and costs nothing',
  async name => {
    const { path, begin, failure } = dialects[name]
    hub.upstream.play(name, stream(begin + failure))
    expect(await ask(path, name)).toEqual({ status: 200, text: begin + failure })
    expect(hub.upstream.served).toHaveLength(1)
    const row = await newestRow(name)
    expect([row.type, row.content, row.quota]).toEqual([5, 'upstream.caller', 0])
    const charged = await hub.app.root.get(`/api/log/?model_name=${name}&log_type=2&size=1`)
    expect(charged.body.data.data).toEqual([])
  },
)

it.each(Object.keys(dialects) as Name[])(
  'a stream that fails after its output for what the request is ends with the frame of the vendor in %s',
  async name => {
    const { path, begin, output, failure } = dialects[name]
    hub.upstream.play(name, stream(begin + output + failure))
    expect(await ask(path, name)).toEqual({ status: 200, text: begin + output + failure })
    expect(hub.upstream.served).toHaveLength(1)
  },
)

const refusal = sse({ type: 'error', error: contentFilter }, 'error')

const chargedCalls = async (): Promise<number> => {
  const { body } = await hub.app.root.get('/api/log/?model_name=own-responses&log_type=2&size=50')
  return body.data.data.length
}

/** How a vendor ends behind its `error` event, where no failed response follows. */
const ends: [string, (response: Parameters<Play>[0]['response']) => void][] = [
  ['the end', each => void each.end()],
  ['a cut', each => void each.destroy()],
  ['a comment and silence', each => void each.write(': still here\n\n')],
]

it.each(
  ends.flatMap(([name, end]) => [[name, 'before', end] as const, [name, 'behind', end] as const]),
)(
  'an error event with nothing behind it but %s, %s the output, is the refusal of the request',
  async (_, place, end) => {
    const { path, begin, output } = dialects['own-responses']
    const opening = place === 'before' ? begin : begin + output
    const before = await chargedCalls()
    hub.upstream.play('own-responses', ({ response: answer }) => {
      answer.writeHead(200, { 'content-type': 'text/event-stream' })
      answer.write(opening + refusal, () => setTimeout(() => end(answer), 20))
    })
    const { status, text } = await ask(path, 'own-responses')
    expect([status, text.startsWith(opening + refusal)]).toEqual([200, true])
    expect(text.slice((opening + refusal).length)).toMatch(
      /^event: response.failed\ndata: .*"code":"content_filter".*\n\n$/,
    )
    expect(hub.upstream.served).toHaveLength(1)
    expect((await chargedCalls()) - before).toBe(place === 'before' ? 0 : 1)
  },
)

it('a whole response that failed for what the request is passes as it is', async () => {
  const failed = { ...response, status: 'failed', error: contentFilter }
  hub.upstream.play('own-responses', turn => answerJson(turn, failed))
  const answered = await ask('/v1/responses', 'own-responses', {})
  expect(answered).toEqual({ status: 200, text: JSON.stringify(failed) })
  expect(hub.upstream.served).toHaveLength(1)
  expect((await newestRow('own-responses')).content).toBe('upstream.caller')
})

it('a caller of another dialect is told by status, code and words, and no other channel is asked', async () => {
  const { begin, failure } = dialects['own-responses']
  hub.upstream.play('own-server', turn =>
    turn.served.path.endsWith('/responses')
      ? stream(begin + failure)(turn)
      : answerJson(turn, { error: { message: 'Not Found' } }, 404),
  )
  const answered = await ask('/v1/chat/completions', 'own-server')
  expect([answered.status, answered.text]).toEqual([400, expect.stringContaining('filtered')])
})

it('a failure of the vendor itself still goes to another channel', async () => {
  const { begin } = dialects['own-responses']
  const failed = { ...response, status: 'failed', error: { code: 'server_error', message: 'no' } }
  hub.upstream.play(
    'own-responses',
    stream(begin + sse({ type: 'response.failed', response: failed }, 'response.failed')),
  )
  expect((await ask('/v1/responses', 'own-responses')).status).toBe(502)
  expect(hub.upstream.served).toHaveLength(2)
})
