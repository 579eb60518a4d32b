import { anthropic, type Dialect, gemini, openaiChat, type UpstreamDialect } from '@hub/dialects'
import { expect, it } from 'vitest'
import { translateResponse } from './response.ts'
import { type ChatTranslation, translatingObserver } from './stream.ts'

const call = { function: { name: 'f', arguments: '{}' } }

it.each(['', undefined])('calls with the id %j get one each in a whole answer', id => {
  const body = {
    choices: [
      {
        message: {
          tool_calls: [
            { ...call, id },
            { ...call, id },
          ],
        },
      },
    ],
  }
  const chat = { from: anthropic as Dialect, to: openaiChat, request: { model: 'm', messages: [] } }
  const { body: written } = translateResponse(
    chat as unknown as ChatTranslation,
    Buffer.from(JSON.stringify(body)),
    { createdAt: 1, id: '7' },
  )
  const ids = JSON.parse(written.toString()).content.map((each: { id: string }) => each.id)
  expect([new Set(ids).size, ids.includes('')]).toEqual([2, false])
})

const functionCall = { name: 'f', args: {} }
const toolUse = { type: 'tool_use', name: 'f', input: {} }
/** Two calls without ids, in an answer without one: whole, and as the frames of a stream. */
const unnamed: [string, UpstreamDialect, object, object[]][] = [
  [
    'chat',
    openaiChat,
    { choices: [{ message: { tool_calls: [call, call] }, finish_reason: 'tool_calls' }] },
    [
      {
        choices: [
          { index: 0, delta: { tool_calls: [0, 1].map(index => ({ index, ...call })) } },
          { index: 0, delta: {}, finish_reason: 'tool_calls' },
        ],
      },
    ],
  ],
  [
    'Gemini',
    gemini,
    { candidates: [{ content: { parts: [{ functionCall }, { functionCall }] } }] },
    [
      { candidates: [{ content: { parts: [{ functionCall }] } }] },
      { candidates: [{ content: { parts: [{ functionCall }] }, finishReason: 'STOP' }] },
    ],
  ],
  [
    'Messages',
    anthropic,
    { type: 'message', content: [toolUse, toolUse], stop_reason: 'tool_use' },
    [
      { type: 'message_start', message: {} },
      ...[0, 1].map(index => ({ type: 'content_block_start', index, content_block: toolUse })),
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ],
  ],
]
it.each(unnamed)('calls of %s without ids get the same ones whole and streamed', (...args) => {
  const [, to, body, frames] = args
  const from: Dialect = openaiChat
  const request = { model: 'm', messages: [] }
  const chat = { from, to, framing: 'sse', request, mark: 'abcdefgh' } as ChatTranslation
  const options = { createdAt: 1, id: '7', wantsUsage: false }
  const whole = translateResponse(chat, Buffer.from(JSON.stringify(body)), options).body
  const observer = translatingObserver(chat, options)
  const sent = frames.map(each => `data: ${JSON.stringify(each)}\n\n`).join('')
  const parts = observer.push(Buffer.from(sent))
  observer.end?.()
  const streamed = Buffer.concat([...parts, observer.tail()])
  const idsIn = (text: Buffer) => [...new Set(text.toString().match(/"id":"call_[^"]*"/g))]
  expect(idsIn(whole)).toHaveLength(2)
  expect(idsIn(streamed)).toEqual(idsIn(whole))
})
