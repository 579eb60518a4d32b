import { describe, expect, it } from 'vitest'
import type { ChatAnswer, ChatEvent, ChatRequest, Part } from '../../canon.ts'
import { dialectOf } from '../../index.ts'
import type { Json } from '../../json/json.ts'
import { openaiResponses } from '../index.ts'
import { openaiCompaction } from './dialect.ts'
import { summaryIn, summaryInstruction, withoutCompacted } from './summary.ts'

const mark = 'Mark1234'
const trigger = { type: 'compaction_trigger' }
const user = { type: 'message', role: 'user', content: 'Remember: slate.' }
const assistant = { type: 'message', role: 'assistant', content: 'OK.' }

const read = (body: object, dialect = openaiResponses): ChatRequest => {
  const result = dialect.decodeRequest({ model: 'm', ...body })
  if (!result.ok) throw new Error(result.hint)
  return result.request
}

const hintOf = (body: object, dialect = openaiResponses) => {
  const result = dialect.decodeRequest({ model: 'm', ...body })
  return result.ok ? undefined : result.hint
}

const textPart = (text: string): Part => ({ type: 'text', text })

const answerOf = (parts: Part[], reason: 'stop' | 'length' = 'stop'): ChatAnswer => ({
  ...{ id: 'resp_1', model: 'm' },
  choices: [{ parts, finish: { reason } }],
})

const framesOf = (request: ChatRequest, parts: readonly Part[], reason: 'stop' | 'length') => {
  const encoder = openaiResponses.encodeEvents({ request, summaryMark: mark })
  const events: ChatEvent[] = [
    { type: 'start', id: 'resp_1', model: 'm' },
    ...parts.flatMap((part, index): ChatEvent[] =>
      part.type === 'text'
        ? [
            { type: 'part', index, part: { ...part, text: '' } },
            { type: 'delta', index, text: part.text.slice(0, 3) },
            { type: 'delta', index, text: part.text.slice(3) },
          ]
        : [{ type: 'part', index, part }],
    ),
    { type: 'finish', finish: { reason } },
    { type: 'end' },
  ]
  const text = events.map(each => encoder.push(each)).join('')
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Json)
}

describe('a request that ends with the trigger', () => {
  const tools = [{ type: 'function', name: 'f' }]
  const request = read({
    ...{ input: [user, assistant, trigger], instructions: 'Be brief.', tools },
    ...{ tool_choice: 'required', text: { format: { type: 'json_object' } }, store: true },
  })

  it.each(['openai-chat', 'anthropic', 'gemini', 'converse'] as const)(
    'asks %s for a summary after the whole conversation',
    id => {
      const { body, warnings } = dialectOf(id).encodeRequest(
        openaiResponses.summaryRequest!(request)!,
      )
      const text = JSON.stringify(body)
      for (const each of ['Remember: slate.', 'OK.', 'Be brief.', summaryInstruction])
        expect(text).toContain(each)
      expect(text).not.toMatch(/compaction_trigger|json_object|required/)
      expect(warnings.map(each => each.dropped)).not.toContain('compaction_trigger')
    },
  )

  it('keeps the tools, which the model must not call', () => {
    const summary = openaiResponses.summaryRequest!(request)!
    expect(summary).toMatchObject({ tools: [{ name: 'f' }], toolChoice: { type: 'none' } })
    expect(openaiResponses.summaryRequest!(read({ input: [user] }))).toBeUndefined()
    const item = { type: 'additional_tools', role: 'developer', tools }
    const declared = openaiResponses.summaryRequest!(read({ input: [item, user, trigger] }))!
    expect(declared.toolChoice).toEqual({ type: 'none' })
    const without = openaiResponses.summaryRequest!(read({ input: [user, trigger] }))!
    expect(without.toolChoice).toBeUndefined()
  })

  it.each([
    ['in the middle', { input: [user, trigger, user] }, /last item/],
    ['twice', { input: [user, trigger, trigger] }, /last item/],
    ['alone', { input: [trigger] }, /no conversation/],
  ])('is refused with the trigger %s', (_, body, hint) => {
    expect(hintOf(body)).toMatch(hint)
  })

  it('may have its conversation at the vendor', () => {
    expect(hintOf({ input: [trigger], previous_response_id: 'resp_0' })).toBeUndefined()
  })
})

describe.each(['stop', 'length'] as const)('a summary that ended with %s', reason => {
  const request = read({ input: [user, trigger] })
  const parts: Part[] = [
    { type: 'thinking', text: 'Hm.' },
    textPart('The word is slate.'),
    { type: 'tool-call', id: 'c', name: 'f', input: '{}' },
    textPart('Nothing is open.'),
  ]
  const status = reason === 'stop' ? 'completed' : 'incomplete'

  it('is one item, which becomes a message in the next request to any vendor', () => {
    const options = { request, summaryMark: mark }
    const { body } = openaiResponses.encodeResponse(answerOf(parts, reason), options)
    expect(body).toMatchObject({ status, output: [{ type: 'compaction' }] })
    const [item] = body.output as [Json]
    expect(item.id).toMatch(/^cmp_/)
    expect(item.encrypted_content).toContain(mark)
    expect(summaryIn(item)).toBe('The word is slate.\nNothing is open.')
    for (const id of [
      'openai-chat',
      'anthropic',
      'gemini',
      'converse',
      'openai-responses',
    ] as const) {
      const next = dialectOf(id).encodeRequest(read({ input: [item, user] }))
      expect(JSON.stringify(next.body)).toContain('The word is slate.\\nNothing is open.')
      expect(JSON.stringify(next.body)).not.toContain('encrypted_content')
      expect(next.warnings).toEqual([])
    }
  })

  it('is the same item in a stream', () => {
    const frames = framesOf(request, parts, reason)
    expect(frames.map(each => each.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.compaction.compacting',
      'response.output_item.done',
      `response.${status}`,
    ])
    expect(summaryIn(frames[4]!.item)).toBe('The word is slate.\nNothing is open.')
    expect(frames[5]!.response.output).toEqual([frames[4]!.item])
    expect(frames.map(each => each.sequence_number)).toEqual([0, 1, 2, 3, 4, 5])
  })
})

it.each([
  ['nothing', []],
  ['blanks', [textPart(' \n')]],
  ['a call', [{ type: 'tool-call', id: 'c', name: 'f', input: '{}' } as const]],
])('an answer of %s fails, because it would lose the conversation', (_, parts) => {
  const request = read({ input: [user, trigger] })
  const options = { request, summaryMark: mark }
  const failed = { status: 'failed', output: [], error: { code: 'server_error' } }
  expect(openaiResponses.encodeResponse(answerOf([...parts]), options).body).toMatchObject(failed)
  expect(framesOf(request, parts, 'stop').at(-1)).toMatchObject({
    type: 'response.failed',
    response: failed,
  })
  const compacted = openaiCompaction.encodeResponse(answerOf([...parts]), options)
  expect(compacted.body).toMatchObject({ object: 'response', ...failed })
})

describe('the call that compacts', () => {
  it.each([
    ['a text', 'Hi.'],
    ['a list', [user, assistant]],
  ])('reads %s as a request with the trigger', (_, input) => {
    const request = read({ input }, openaiCompaction)
    expect(openaiCompaction.summaryRequest!(request)).toBeDefined()
  })

  it.each([{}, { input: [] }, { input: null }])('refuses %j', body => {
    expect(hintOf(body, openaiCompaction)).toMatch(/no conversation/)
  })

  it('returns the user’s messages and one item', () => {
    const image = { type: 'input_image', image_url: 'https://a.example/a.png' }
    const content = [{ type: 'input_text', text: 'Look.' }, image]
    const input = [user, assistant, { role: 'user', content }]
    const request = read({ input }, openaiCompaction)
    const { body } = openaiCompaction.encodeResponse(answerOf([textPart('Slate.')]), {
      ...{ request, summaryMark: mark, createdAt: 7 },
    })
    expect(Object.keys(body)).toEqual(['id', 'object', 'created_at', 'output', 'usage'])
    expect(body).toMatchObject({
      ...{ id: 'resp_1', object: 'response.compaction', created_at: 7 },
      output: [
        { type: 'message', role: 'user', content: [{ text: 'Remember: slate.' }] },
        { type: 'message', role: 'user', content },
        { type: 'compaction' },
      ],
      usage: { input_tokens: 0, output_tokens: 0 },
    })
    // The next compaction replaces the summary of this one.
    const again = openaiCompaction.encodeResponse(answerOf([textPart('More.')]), {
      request: read({ input: body.output }, openaiCompaction),
      summaryMark: mark,
    })
    const types = (again.body.output as Json[]).map(each => each.type)
    expect(types).toEqual(['message', 'message', 'compaction'])
  })

  it('stores nothing', () => {
    const { parsed } = openaiCompaction.read(Buffer.from('{"model":"m","input":"x"}')) as Json
    expect(parsed.state).toMatchObject({ store: false, compacts: true })
  })
})

it.each(['openai-chat', 'anthropic', 'gemini', 'converse'] as const)(
  'a compaction of another vendor is left out of a request to %s with a note',
  id => {
    const item = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAAABpM0Yj' }
    const { body, warnings } = dialectOf(id).encodeRequest(read({ input: [item, user] }))
    expect(JSON.stringify(body)).not.toContain('gAAAA')
    expect(warnings.map(each => each.dropped)).toContain('compaction')
  },
)

it('items before a readable summary are not sent again, and a trigger never is', () => {
  const encrypted_content = `summary.${mark}.${Buffer.from('S').toString('base64url')}`
  const own = { type: 'compaction', encrypted_content }
  const foreign = { type: 'compaction', encrypted_content: 'gAAAAABpM0Yj' }
  expect(withoutCompacted([user, trigger, own, assistant])).toEqual([own, assistant])
  expect(withoutCompacted([user, own, user, trigger, own])).toEqual([own])
  expect(withoutCompacted([user, trigger, foreign])).toEqual([user, foreign])
})
