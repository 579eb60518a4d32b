import { expect, it } from 'vitest'
import { converse } from './index.ts'

const body = Buffer.from('{"messages":[], "toolConfig":{"tools":[]}}')
const named = { model: 'm', stream: true }

it('a body of ours is read beside the model that its path names', () => {
  expect(converse.read(body, named)).toEqual({
    ok: true,
    parsed: {
      ...named,
      outputMax: undefined,
      n: 1,
      hasTools: true,
      hasAddresses: false,
      wantsUsage: true,
      promptTokens: 14,
      fieldRanges: expect.any(Map),
      body,
    },
  })
  expect(converse.read(Buffer.from('{}'), named)).toMatchObject({ parsed: { hasTools: false } })
  expect(converse.usageEdits({ model: 'm' } as never)).toEqual({})
})

it.each([
  [body, undefined, 'invalid', 'The path must name a model.'],
  [body, { model: '', stream: false }, 'invalid', 'The path must name a model.'],
  [Buffer.from('[]'), named, 'unreadable', 'A JSON object is expected.'],
])('%s with %j is not', (wrong, path, reason, hint) =>
  expect(converse.read(wrong, path)).toEqual({ ok: false, reason, hint }),
)

it('the model and whether to stream never come into the body', () => {
  const read = converse.read(body, named)
  if (!read.ok) throw new Error(read.hint)
  const edits = { model: 'x', stream: false, toolConfig: undefined, system: [] }
  expect(converse.splice(read.parsed, edits).toString()).toBe('{"messages":[],"system":[]}')
})
