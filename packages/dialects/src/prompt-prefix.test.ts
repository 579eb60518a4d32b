import { describe, expect, it } from 'vitest'
import { type Dialect, dialectOf, type UpstreamDialect } from './index.ts'

/** Turns of an agent: texts, a thought, parallel calls and their results. */
const turnsMax = 6
const picture = 'iVBORw0KGgo='

type Body = Record<string, unknown>
type Caller = { dialect: Dialect; body(turns: number): Body }

const upTo = <Turn>(turns: number, make: (turn: number) => readonly Turn[]): Turn[] =>
  Array.from({ length: turns }, (_, at) => make(at)).flat()

const schema = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'number' } } }
const json = '{"b":"x","a":1.50}'

const callers: Record<string, Caller> = {
  chat: {
    dialect: dialectOf('openai-chat'),
    body: turns => ({
      model: 'm',
      tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
      messages: [
        { role: 'system', content: 'Be brief.' },
        ...upTo<object>(turns, turn => [
          {
            role: 'user',
            content: [
              { type: 'text', text: `Ask ${turn}` },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${picture}` } },
            ],
          },
          {
            ...{ role: 'assistant', content: `Say ${turn}`, reasoning_content: 'Think' },
            tool_calls: ['a', 'b'].map(each => ({
              ...{ id: `call_${each}${turn}`, type: 'function' },
              function: { name: 'look', arguments: json },
            })),
          },
          ...['a', 'b'].map(each => ({
            ...{ role: 'tool', tool_call_id: `call_${each}${turn}`, content: 'Seen' },
          })),
        ]),
      ],
    }),
  },
  responses: {
    dialect: dialectOf('openai-responses'),
    body: turns => ({
      ...{ model: 'm', store: false, instructions: 'Be brief.' },
      tools: [{ type: 'function', name: 'look', parameters: schema }],
      input: upTo<object>(turns, turn => [
        { role: 'user', content: [{ type: 'input_text', text: `Ask ${turn}` }] },
        {
          ...{ type: 'reasoning', id: `rs_${turn}`, encrypted_content: 'gAAA' },
          summary: [{ type: 'summary_text', text: 'Think' }],
        },
        {
          ...{ type: 'message', id: `msg_${turn}`, role: 'assistant' },
          content: [{ type: 'output_text', text: `Say ${turn}` }],
        },
        ...['a', 'b'].map(each => ({
          ...{ type: 'function_call', call_id: `call_${each}${turn}`, name: 'look' },
          arguments: json,
        })),
        ...['a', 'b'].map(each => ({
          ...{ type: 'function_call_output', call_id: `call_${each}${turn}`, output: 'Seen' },
        })),
      ]),
    }),
  },
  messages: {
    dialect: dialectOf('anthropic'),
    body: turns => ({
      ...{ model: 'm', max_tokens: 9_000, system: [{ type: 'text', text: 'Be brief.' }] },
      tools: [{ name: 'look', input_schema: schema }],
      messages: upTo<object>(turns, turn => [
        { role: 'user', content: [{ type: 'text', text: `Ask ${turn}` }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Think', signature: 'c2ln' },
            { type: 'text', text: `Say ${turn}` },
            ...['a', 'b'].map(each => ({
              ...{ type: 'tool_use', id: `toolu_${each}${turn}`, name: 'look' },
              input: JSON.parse(json),
            })),
          ],
        },
        {
          role: 'user',
          content: ['a', 'b'].map(each => ({
            ...{ type: 'tool_result', tool_use_id: `toolu_${each}${turn}`, content: 'Seen' },
          })),
        },
      ]),
    }),
  },
  gemini: {
    dialect: dialectOf('gemini'),
    body: turns => ({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      tools: [{ functionDeclarations: [{ name: 'look', parameters: schema }] }],
      contents: upTo<object>(turns, turn => [
        { role: 'user', parts: [{ text: `Ask ${turn}` }] },
        {
          role: 'model',
          parts: [
            { text: 'Think', thought: true },
            { text: `Say ${turn}` },
            { functionCall: { name: 'look', args: JSON.parse(json) }, thoughtSignature: 'c2ln' },
            { functionCall: { name: 'look', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [0, 1].map(() => ({
            functionResponse: { name: 'look', response: { output: 'Seen' } },
          })),
        },
      ]),
    }),
  },
}

const vendors: Record<string, { dialect: UpstreamDialect; models: readonly string[] }> = {
  'openai-chat': { dialect: dialectOf('openai-chat'), models: ['gpt-5.5', 'deepseek-v4-pro'] },
  'openai-responses': { dialect: dialectOf('openai-responses'), models: ['gpt-5.5'] },
  anthropic: { dialect: dialectOf('anthropic'), models: ['claude-opus-5', 'claude-sonnet-4-5'] },
  gemini: { dialect: dialectOf('gemini'), models: ['gemini-3-pro', 'gemini-2.5-pro'] },
  converse: { dialect: dialectOf('converse'), models: ['us.amazon.nova-pro-v1:0'] },
}

const turnNames = ['messages', 'input', 'contents']
const headNames = ['tools', 'toolConfig', 'system', 'systemInstruction', 'instructions']

/** The blocks of a message with its role: a message may grow at its end when the next one has the same role. */
const blocksOf = (message: Body): string[] => {
  const { content, parts, role, ...rest } = message
  const blocks = content ?? parts
  return Array.isArray(blocks)
    ? blocks.map(each => JSON.stringify([role, rest, each]))
    : [JSON.stringify(message)]
}

/** Renders a request as templates of chats do: tools, system, turns. */
const partsOf = (body: Body) => ({
  head: JSON.stringify(headNames.map(each => body[each])),
  turns: turnNames.flatMap(each => (body[each] as Body[]) ?? []).flatMap(blocksOf),
})

describe.each(Object.entries(callers))('a conversation of a caller of %s', (_name, caller) => {
  const cases = Object.values(vendors).flatMap(({ dialect, models }) =>
    models.map(model => [dialect.id, model, dialect] as const),
  )

  it.each(cases)('begins for %s (%s) as it began the turn before', (_id, model, vendor) => {
    const sent = (turns: number) => {
      const decoded = caller.dialect.decodeRequest(caller.body(turns), { model, stream: false })
      if (!decoded.ok) throw new TypeError(decoded.hint)
      return partsOf(vendor.encodeRequest({ ...decoded.request, model }).body)
    }
    for (let turns = 1; turns < turnsMax; turns++) {
      const before = sent(turns)
      const after = sent(turns + 1)
      expect(after.head).toBe(before.head)
      expect(before.turns.length).toBeGreaterThan(0)
      expect(after.turns.slice(0, before.turns.length)).toEqual(before.turns)
    }
  })
})
