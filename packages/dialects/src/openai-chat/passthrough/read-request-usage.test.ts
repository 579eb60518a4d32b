import { expect, it } from 'vitest'
import { openaiChat } from '../index.ts'

// https://platform.openai.com/docs/api-reference/chat/create#chat_create-stream_options
it.each([
  ['{"model":"m"}', {}],
  ['{"model":"m","stream":true,"stream_options":{"include_usage":true}}', {}],
  ['{"model":"m","stream":true}', { stream_options: { include_usage: true } }],
  [
    '{"model":"m","stream":true,"stream_options":null}',
    { stream_options: { include_usage: true } },
  ],
  [
    '{"model":"m","stream":true,"stream_options":{"include_usage":false,"include_obfuscation":false}}',
    { stream_options: { include_usage: true, include_obfuscation: false } },
  ],
])('whoever sends %s is told the usage by the edits %j', (body, edits) => {
  const read = openaiChat.read(Buffer.from(body))
  if (!read.ok) throw new Error(read.hint)
  expect(openaiChat.usageEdits(read.parsed)).toEqual(edits)
})
