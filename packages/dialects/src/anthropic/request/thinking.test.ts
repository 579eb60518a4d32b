import { describe, expect, it } from 'vitest'
import type { ChatRequest, Message, Part, Reasoning } from '../../canon.ts'
import type { EncodeRequestOptions } from '../../dialect.ts'
import { anthropic } from '../index.ts'

const dialectId = (fields: Record<string, unknown>) => ({ dialect: 'anthropic' as const, fields })
const text = (content: string): Part => ({ type: 'text', text: content })
const user: Message = { role: 'user', parts: [text('Hi')] }

const older = 'claude-sonnet-4-5'
const adaptive = 'claude-opus-4-6'
const newest = 'claude-opus-4-7'

const ask = (reasoning: Reasoning, more: Partial<ChatRequest> = {}, aim?: EncodeRequestOptions) => {
  const request = { model: older, messages: [user], outputMax: 10_000, ...more, reasoning }
  const { body, warnings } = anthropic.encodeRequest(request, aim)
  const { thinking, output_config, max_tokens } = body
  return { thinking, output_config, max_tokens, warnings: warnings.map(each => each.dropped) }
}

// https://platform.claude.com/docs/en/build-with-claude/extended-thinking
describe('what a request says of thinking', () => {
  const read = (body: object): Reasoning | undefined => {
    const result = anthropic.decodeRequest({ model: 'm', messages: [], ...body })
    return result.ok ? result.request.reasoning : undefined
  }

  it.each<[object, Omit<Reasoning, 'unknownFields'>]>([
    [
      { type: 'enabled', budget_tokens: 2_000 },
      { mode: 'enabled', budget: 2_000 },
    ],
    [
      { type: 'adaptive', display: 'summarized' },
      { mode: 'adaptive', summary: 'auto' },
    ],
    [
      { type: 'adaptive', display: 'omitted' },
      { mode: 'adaptive', summary: 'none' },
    ],
    [{ type: 'disabled' }, { mode: 'disabled' }],
    [{ type: 'x', budget_tokens: '9', display: 'x' }, {}],
  ])('%j is read, and kept as it stood', (thinking, reasoning) => {
    expect(read({ thinking })).toStrictEqual({
      ...reasoning,
      unknownFields: dialectId({ thinking }),
    })
    expect(read({ thinking, output_config: { effort: 'low' } })).toStrictEqual({
      ...reasoning,
      effort: 'low',
      unknownFields: dialectId({ thinking, effort: 'low' }),
    })
    expect(read({ thinking, output_config: { effort: 7 } })).not.toHaveProperty('effort')
  })

  it('an effort alone is one, and nothing is nothing', () => {
    const output_config = { effort: 'high' }
    expect(read({ output_config })).toStrictEqual({
      effort: 'high',
      unknownFields: dialectId(output_config),
    })
    for (const body of [{}, { output_config: { effort: 7 } }, { thinking: null }])
      expect(read(body)).toBeUndefined()
  })

  it('goes back to the vendor as it came', () => {
    const thinking = { type: 'enabled', budget_tokens: 9_999, x: 1 }
    expect(ask({ effort: 'none', unknownFields: dialectId({ thinking }) })).toStrictEqual({
      thinking,
      output_config: undefined,
      max_tokens: 10_000,
      warnings: [],
    })
    expect(ask({ mode: 'enabled', unknownFields: dialectId({ effort: 'max' }) })).toStrictEqual({
      thinking: undefined,
      output_config: { effort: 'max' },
      max_tokens: 10_000,
      warnings: [],
    })
  })

  it('of another dialect’s own fields says which are lost', () => {
    const unknownFields = { dialect: 'openai-chat' as const, fields: { exclude: true } }
    expect(ask({ effort: 'low', unknownFields })).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      warnings: ['exclude'],
    })
  })
})

describe('a model that thinks by a budget', () => {
  it.each<[Reasoning, number | undefined, number, number, number]>([
    [{ mode: 'enabled' }, undefined, 10_000, 8_000, 10_000],
    [{ mode: 'enabled' }, 0.3, 10_000, 3_000, 10_000],
    [{ effort: 'minimal' }, undefined, 10_000, 2_000, 10_000],
    [{ effort: 'low' }, 0.3, 10_000, 2_000, 10_000],
    [{ effort: 'medium' }, undefined, 10_000, 5_000, 10_000],
    [{ effort: 'high' }, 0.3, 10_000, 8_000, 10_000],
    [{ effort: 'low', budget: 3_000 }, undefined, 10_000, 3_000, 10_000],
    [{ budget: -1 }, undefined, 10_000, 8_000, 10_000],
    [{ mode: 'enabled', budget: 0 }, undefined, 10_000, 8_000, 10_000],
    [{ budget: 1 }, undefined, 10_000, 1_024, 10_000],
    [{ effort: 'low' }, undefined, 7_777, 1_555, 7_777],
    [{ budget: 2_000 }, undefined, 2_001, 2_000, 2_001],
    [{ budget: 2_000 }, undefined, 2_000, 2_000, 2_256],
    [{ effort: 'low' }, undefined, 9, 1_024, 1_280],
  ])(
    '%j (share %j) of %i tokens takes %i of %i',
    (reasoning, thinkingBudgetShare, outputMax, budget, limit) => {
      const aim = thinkingBudgetShare === undefined ? {} : { thinkingBudgetShare }
      expect(ask(reasoning, { outputMax }, aim)).toStrictEqual({
        thinking: { type: 'enabled', budget_tokens: budget },
        output_config: undefined,
        max_tokens: limit,
        warnings: [],
      })
    },
  )

  it('takes no samplers beside it but those that change nothing', () => {
    const request = (at: number): ChatRequest => ({
      ...{ model: 'claude-3-7-sonnet', messages: [user], temperature: at, topP: at, topK: at },
      reasoning: { mode: 'enabled' },
    })
    const { body, warnings } = anthropic.encodeRequest(request(0.5))
    for (const name of ['temperature', 'top_p', 'top_k']) expect(body).not.toHaveProperty(name)
    expect(warnings.map(each => each.dropped)).toEqual(['temperature', 'top_k', 'top_p'])
    expect(anthropic.encodeRequest(request(1))).toMatchObject({
      body: { temperature: 1, top_p: 1, top_k: 1 },
      warnings: [],
    })
  })

  const tools: ChatRequest['tools'] = [{ type: 'function', name: 'f' }]
  const signature = { dialect: 'anthropic' as const, text: 'c2ln' }
  const call: Part = { type: 'tool-call', id: 't', name: 'f', input: '{}' }
  const thought: Part = { type: 'thinking', text: 'hm', signature }
  const result: Message = { role: 'tool', parts: [{ type: 'tool-result', id: 't', parts: [] }] }
  const turn = (...parts: Part[]): Message => ({ role: 'assistant', parts })

  it.each<[string, Partial<ChatRequest>, string | undefined]>([
    ['a model that cannot', { model: 'claude-3-5-haiku' }, 'model'],
    ['a forced tool', { tools, toolChoice: { type: 'required' } }, 'tool_choice'],
    [
      'a forced one of its tools',
      { tools, toolChoice: { type: 'tool', name: 'f' } },
      'tool_choice',
    ],
    ['a free choice', { tools, toolChoice: { type: 'auto' } }, undefined],
    ['a prefilled answer', { messages: [user, turn(text('{'))] }, 'the last message'],
    ['no message', { messages: [] }, undefined],
    [
      'a result of an unsigned turn',
      { messages: [user, turn(call), result] },
      'no signed thoughts',
    ],
    [
      'a turn that was begun with words',
      { messages: [user, turn(text('I look.'), thought, call), result] },
      'no signed thoughts',
    ],
    [
      'words behind the result',
      { messages: [user, turn(call), result, user] },
      'no signed thoughts',
    ],
    ['a signed turn', { messages: [user, turn(thought, call), result] }, undefined],
    [
      'a turn whose thoughts are hidden',
      {
        messages: [
          user,
          turn({ type: 'thinking', text: '', redacted: true, signature }, call),
          result,
        ],
      },
      undefined,
    ],
    [
      'only the last turn counts',
      { messages: [user, turn(thought, call), result, turn(call), result] },
      'no signed thoughts',
    ],
    ['a turn that is over', { messages: [user, turn(text('Yes.')), user] }, undefined],
  ])('is asked for thoughts only where the vendor takes it: %s', (_, more, hindrance) => {
    const encoded = ask({ effort: 'low' }, more)
    expect(encoded.warnings).toEqual(hindrance ? [`reasoning (${hindrance})`] : [])
    expect(encoded.thinking).toEqual(
      hindrance ? undefined : { type: 'enabled', budget_tokens: 2_000 },
    )
  })

  it.each<Reasoning>([{ mode: 'disabled' }, { effort: 'none' }, { budget: 0 }])(
    '%j rests, where it could think',
    reasoning => {
      expect(ask(reasoning)).toMatchObject({ thinking: { type: 'disabled' }, warnings: [] })
      const encoded = ask(reasoning, { model: 'claude-3-5-haiku' })
      expect([encoded.thinking, encoded.warnings]).toEqual([undefined, []])
    },
  )
})

// https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
describe('a model that thinks as much as it finds right', () => {
  it.each<[string, Reasoning, object, string | undefined, string[]]>([
    [adaptive, { mode: 'enabled' }, {}, undefined, []],
    [adaptive, { summary: 'auto', effort: 'low' }, {}, 'low', []],
    [adaptive, { summary: 'none', effort: 'high' }, { display: 'omitted' }, 'high', []],
    [newest, { effort: 'medium' }, { display: 'summarized' }, 'medium', []],
    [newest, { summary: 'none', effort: 'max' }, { display: 'omitted' }, 'max', []],
    [adaptive, { effort: 'minimal' }, {}, 'low', []],
    [adaptive, { effort: 'xhigh' }, {}, 'high', []],
    [newest, { effort: 'xhigh' }, { display: 'summarized' }, 'xhigh', []],
    [adaptive, { budget: 1 }, {}, undefined, ['reasoning.budget']],
    [adaptive, { budget: -1 }, {}, undefined, []],
    [adaptive, { mode: 'adaptive', budget: 0 }, {}, undefined, []],
    [adaptive, { effort: 'low', budget: 5_000 }, {}, 'low', []],
  ])('%s with %j', (model, reasoning, display, effort, warnings) =>
    expect(ask(reasoning, { model })).toStrictEqual({
      thinking: { type: 'adaptive', ...display },
      output_config: effort && { effort },
      max_tokens: 10_000,
      warnings,
    }),
  )

  it('does so beside a forced tool and in an unsigned turn', () => {
    const tools: ChatRequest['tools'] = [{ type: 'function', name: 'f' }]
    const encoded = ask(
      { effort: 'low' },
      { model: adaptive, tools, toolChoice: { type: 'required' } },
    )
    expect(encoded).toMatchObject({ thinking: { type: 'adaptive' }, warnings: [] })
  })
})
