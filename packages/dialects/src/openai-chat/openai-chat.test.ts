import { testPassThrough } from '../dialect-suite.ts'
import { openaiChat } from './index.ts'

const chunk = (delta: object, more: object = {}) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: null }],
    ...more,
  })

testPassThrough(openaiChat, {
  request: Buffer.from(
    ' {"temperature" : 1.0, "model":"gpt-4o" ,"seed":9007199254740993,\n "messages":[{"role":"user","content":"h\\u00e9 世界"}],"stream":true }\n',
  ),
  stream: Buffer.from(
    [
      `\uFEFFdata: ${chunk({ role: 'assistant', content: '' }, { usage: null })}\n\n`,
      ': a comment\n\n',
      `event: message\r\ndata:${chunk({ content: 'Hé 世界 ' })}\r\n\r\n`,
      `data: {"usage":null,"choices":[{"delta":{"reasoning_content":"so"}}]}\n\n`,
      `data: {\ndata: "choices": []}\n\n`,
      'data: broken {\n\n',
      `data: ${chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] })}\r\r`,
      'data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}}\n\n',
      'data: [DONE]\n\n',
    ].join(''),
  ),
})
