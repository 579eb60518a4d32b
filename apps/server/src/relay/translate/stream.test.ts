import { anthropic, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { translatingObserver } from './stream.ts'

it('a translated stream warns of what the caller’s dialect cannot express', () => {
  const observer = translatingObserver(
    {
      from: openaiChat,
      to: anthropic,
      framing: 'sse',
      request: { model: 'm', messages: [] },
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
