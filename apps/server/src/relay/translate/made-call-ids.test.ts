import { anthropic, type Dialect, openaiChat } from '@hub/dialects'
import { expect, it } from 'vitest'
import { translateResponse } from './response.ts'
import type { ChatTranslation } from './stream.ts'

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
