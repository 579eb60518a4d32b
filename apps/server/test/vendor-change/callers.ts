import { framesOf, type Json } from '../relay-hub.ts'

/** A client of one dialect, which sends back what it received as official clients do. */
export type DialectClient = {
  path(model: string, stream: boolean): string
  body(model: string, turns: readonly Json[], stream: boolean): object
  ask(): Json[]
  /** The client keeps this of an answer, and sends it with the result of its calls. */
  keep(answer: Json): Json[]
  join(text: string): Json
}

const tool = { type: 'object', properties: {} }

const chat: DialectClient = {
  path: () => '/v1/chat/completions',
  body: (model, messages, stream) => ({
    ...{ model, messages, stream },
    tools: [{ type: 'function', function: { name: 'look', parameters: tool } }],
  }),
  ask: () => [{ role: 'user', content: 'Hi' }],
  keep: ({ choices }) => [
    choices[0].message,
    ...choices[0].message.tool_calls.map((each: Json) => ({
      ...{ role: 'tool', tool_call_id: each.id, content: 'Seen.' },
    })),
  ],
  join: text => {
    const message: Json = { role: 'assistant', content: '' }
    for (const frame of framesOf(text)) {
      const {
        content,
        tool_calls = [],
        reasoning_details = [],
        ...rest
      } = frame.choices[0]?.delta ?? {}
      message.content += content ?? ''
      if (rest.reasoning_content) message.reasoning_content = rest.reasoning_content
      if (rest.extra_content) message.extra_content = rest.extra_content
      for (const each of tool_calls) {
        message.tool_calls ??= []
        const before = message.tool_calls[each.index]
        const joined = `${before?.function.arguments ?? ''}${each.function?.arguments ?? ''}`
        const { index, ...call } = { ...before, ...each }
        call.function = { ...before?.function, ...each.function, arguments: joined }
        message.tool_calls[index] = call
      }
      if (reasoning_details.length > 0)
        message.reasoning_details = [...(message.reasoning_details ?? []), ...reasoning_details]
    }
    return { choices: [{ message }] }
  },
}

const responses: DialectClient = {
  path: () => '/v1/responses',
  body: (model, input, stream) => ({
    ...{ model, input, stream, store: false, include: ['reasoning.encrypted_content'] },
    tools: [{ type: 'function', name: 'look', parameters: tool }],
  }),
  ask: () => [{ role: 'user', content: 'Hi' }],
  keep: ({ output }) => [
    ...output,
    ...output
      .filter((each: Json) => each.type === 'function_call')
      .map(({ call_id }: Json) => ({ type: 'function_call_output', call_id, output: 'Seen.' })),
  ],
  join: text => framesOf(text).find(each => each.type === 'response.completed').response,
}

const messages: DialectClient = {
  path: () => '/v1/messages',
  body: (model, turns, stream) => ({
    ...{ model, messages: turns, stream, max_tokens: 9_000 },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    tools: [{ name: 'look', input_schema: tool }],
  }),
  ask: () => [{ role: 'user', content: 'Hi' }],
  keep: ({ content }) => [
    { role: 'assistant', content },
    {
      role: 'user',
      content: content
        .filter((each: Json) => each.type === 'tool_use')
        .map(({ id }: Json) => ({ type: 'tool_result', tool_use_id: id, content: 'Seen.' })),
    },
  ],
  join: text => {
    const content: Json[] = []
    for (const { type, index, content_block, delta } of framesOf(text)) {
      if (type === 'content_block_start') content[index] = content_block
      if (type !== 'content_block_delta') continue
      const block = content[index]
      if (delta.text) block.text += delta.text
      if (delta.thinking) block.thinking += delta.thinking
      if (delta.signature) block.signature = delta.signature
      if (delta.citation) block.citations = [...(block.citations ?? []), delta.citation]
    }
    return { content }
  },
}

const gemini: DialectClient = {
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: (_, contents) => ({
    contents,
    tools: [{ functionDeclarations: [{ name: 'look', parameters: tool }] }],
  }),
  ask: () => [{ role: 'user', parts: [{ text: 'Hi' }] }],
  keep: ({ candidates }) => [
    { role: 'model', parts: candidates[0].content.parts },
    {
      role: 'user',
      parts: candidates[0].content.parts
        .filter((each: Json) => each.functionCall)
        .map(({ functionCall: { id, name } }: Json) => ({
          functionResponse: { ...(id ? { id } : {}), name, response: { output: 'Seen.' } },
        })),
    },
  ],
  join: text => ({
    candidates: [
      {
        content: {
          parts: framesOf(text).flatMap(each => each.candidates?.[0]?.content?.parts ?? []),
        },
      },
    ],
  }),
}

export const callers = { chat, responses, messages, gemini } as const
