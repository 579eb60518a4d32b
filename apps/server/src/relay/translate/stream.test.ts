import { anthropic, type Dialect, openaiChat, openaiResponses } from '@hub/dialects'
import { expect, it } from 'vitest'
import { translateResponse } from './response.ts'
import { translatingObserver } from './stream.ts'

it('a translated stream warns of what the caller’s dialect cannot express', () => {
  const observer = translatingObserver(
    {
      from: openaiChat,
      to: anthropic,
      framing: 'sse',
      ...{ request: { model: 'm', messages: [] }, mark: 'Mark1234' },
    },
    { wantsUsage: false, createdAt: 1, id: 'r' },
  )
  const frame = (type: string, fields: object) =>
    observer.push(Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`))
  frame('message_start', { message: { id: 'r', model: 'm', content: [], usage: {} } })
  frame('content_block_start', { index: 0, content_block: { type: 'text', text: 'One' } })
  frame('message_delta', { delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } })
  frame('message_stop', {})
  expect(observer.isClosed()).toBe(true)
  expect(observer.warnings?.()).toEqual([{ dropped: 'stop_sequence', dialect: 'openai-chat' }])
})

// https://platform.openai.com/docs/api-reference/responses/object
it('an answer of another dialect has an id that a Responses client accepts', () => {
  const translation = (from: Dialect) => ({
    ...{ from, to: openaiChat, framing: 'sse' as const },
    ...{ request: { model: 'm', messages: [] }, mark: 'Mark1234' },
  })
  const body = Buffer.from(JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [] }))
  const idFor = (from: Dialect, whole = body) => {
    const options = { createdAt: 1, id: '77' }
    return JSON.parse(String(translateResponse(translation(from), whole, options).body)).id
  }
  expect(idFor(openaiResponses)).toBe('resp_Mark1234chatcmpl-1')
  expect(idFor(openaiResponses, Buffer.from('{"choices":[]}'))).toBe('resp_Mark123477')
  expect(idFor(anthropic)).toBe('Mark1234chatcmpl-1')

  const options = { wantsUsage: false, createdAt: 1, id: '77' }
  const observer = translatingObserver(translation(openaiResponses), options)
  const chunk = { id: 'chatcmpl-1', model: 'm', choices: [{ index: 0, delta: { content: 'Hi' } }] }
  const text = String(observer.push(Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`))[0])
  expect(text).toContain('"response":{"id":"resp_Mark1234chatcmpl-1"')
})
