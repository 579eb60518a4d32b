import { testPassThrough } from '../dialect-suite.ts'
import { openaiResponses } from './index.ts'

const frame = (type: string, fields: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
const response = { id: 'resp_1', object: 'response', usage: null, output: [] }

testPassThrough(openaiResponses, {
  request: Buffer.from(
    ' {"temperature" : 1.0, "model":"gpt-5" ,"big":9007199254740993,\n "input":[{"role":"user","content":"h\\u00e9 世界"}],"stream":true }\n',
  ),
  stream: Buffer.from(
    [
      `\uFEFF${frame('response.created', { response })}`,
      ': a comment\n\n',
      frame('response.output_text.delta', { delta: 'Hé 世界 ', output_index: 0 }),
      'event: response.output_text.delta\r\ndata:{"type":"response.output_text.delta","delta":"x"}\r\n\r\n',
      'data: {\ndata: "type": "response.queued"}\n\n',
      'data: broken {\n\n',
      frame('response.output_item.done', { item: { type: 'web_search_call', id: 'ws_1' } }),
      frame('response.completed', {
        response: { ...response, usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 } },
      }),
      'data: [DONE]\n\n',
    ].join(''),
  ),
})
