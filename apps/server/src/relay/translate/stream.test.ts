import { anthropic, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { translatingTap } from './stream.ts'

it('what a stream cannot tell its caller stands in its notes', () => {
  const tap = translatingTap(
    {
      from: openaiChat,
      to: anthropic,
      framing: 'sse',
      request: { model: 'm', messages: [] },
    },
    { wantsUsage: false, createdAt: 1, id: 'r' },
  )
  const frame = (type: string, fields: object) =>
    tap.push(Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`))
  frame('message_start', { message: { id: 'r', model: 'm', content: [], usage: {} } })
  frame('content_block_start', { index: 0, content_block: { type: 'text', text: 'One' } })
  frame('message_delta', { delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } })
  frame('message_stop', {})
  expect(tap.closed()).toBe(true)
  expect(tap.notes?.()).toEqual([{ dropped: 'stop_sequence', by: 'openai-chat' }])
})
