import { expect, it } from 'vitest'
import type { ChatAnswer, ChatEvent } from '../canon.ts'
import { openaiChat } from './index.ts'

const answer = (parts: ChatAnswer['choices'][number]['parts'], sequence?: string): ChatAnswer => ({
  id: 'r',
  model: 'm',
  choices: [
    {
      parts,
      finish: sequence === undefined ? { reason: 'stop' } : { reason: 'stop-sequence', sequence },
    },
  ],
})

it('words beside a block of another dialect are told as a text, and the block is noted', () => {
  const { body, warnings } = openaiChat.encodeResponse(
    answer([
      { type: 'opaque', dialect: 'anthropic', value: { type: 'server_tool_use' } },
      { type: 'text', text: 'It rains.' },
    ]),
  )
  expect(body).toMatchObject({ choices: [{ message: { content: 'It rains.' } }] })
  expect(warnings).toEqual([{ dropped: 'server_tool_use', dialect: 'openai-chat' }])
})

it('the stop sequence that was met is noted, whole and streamed', () => {
  const noted = [{ dropped: 'stop_sequence', dialect: 'openai-chat' }]
  const whole = openaiChat.encodeResponse(answer([{ type: 'text', text: 'One' }], 'END'))
  expect(whole.warnings).toEqual(noted)
  const encoder = openaiChat.encodeEvents()
  const events: ChatEvent[] = [
    { type: 'start', id: 'r', model: 'm' },
    { type: 'part', index: 0, part: { type: 'text', text: 'One' } },
    { type: 'finish', finish: { reason: 'stop-sequence', sequence: 'END' } },
    { type: 'end' },
  ]
  const text = events.map(event => encoder.push(event)).join('')
  expect(text).toContain('"finish_reason":"stop"')
  expect(encoder.warnings).toEqual(noted)
})
