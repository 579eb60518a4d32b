import { testPassThrough } from '../dialect-suite.ts'
import { anthropic } from './index.ts'

const event = (type: string, payload: object, end = '\n\n') =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...payload })}${end}`

const usage = { input_tokens: 5, cache_read_input_tokens: 2, output_tokens: 1 }

testPassThrough(anthropic, {
  request: Buffer.from(
    ' {"temperature" : 1.0, "model":"claude-x" ,"max_tokens":9,\n "messages":[{"role":"user","content":"h\\u00e9 世界"}],"stream":true }\n',
  ),
  stream: Buffer.from(
    [
      `\uFEFF${event('message_start', { message: { id: 'msg_1', content: [], usage } })}`,
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      'event: ping\r\ndata: {"type": "ping"}\r\n\r\n',
      ': a comment\n\n',
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hé 世界' } }),
      `data: {"type":"content_block_delta","index":0,\ndata: "delta":{"type":"text_delta","text":"x"}}\n\n`,
      'data: broken {\n\n',
      event('content_block_stop', { index: 0 }, '\r\r'),
      event('message_delta', {
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 7, input_tokens: null },
      }),
      event('message_stop', {}),
    ].join(''),
  ),
})
