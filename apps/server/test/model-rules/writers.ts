import type { Question, QuestionTurn } from './questions.ts'

type Written = Record<string, unknown>
type Writer = (question: Question, model: string) => Written

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
const empty = { type: 'object', properties: {} }
const png = 'iVBORw0KGgo='
const pdf = 'JVBERi0='
const stopsOf = (count = 0): string[] => Array.from({ length: count }, (_, index) => `END${index}`)
const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
const definedFields = (made: Written): Written =>
  Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined))

const efforts = {
  on: 'high',
  off: 'none',
  none: 'none',
  lowest: 'minimal',
  highest: 'xhigh',
} as const
const effortOf = (thinking: Question['thinking']): string | undefined =>
  typeof thinking === 'number' ? 'low' : thinking && efforts[thinking]

const chatTurn = ({ role, text, call, thought, media }: QuestionTurn, name: string): Written => {
  if (role === 'instruction') return { role: 'system', content: text }
  if (role === 'result') return { role: 'tool', tool_call_id: call, content: text }
  const tool = { id: call, type: 'function', function: { name, arguments: '{}' } }
  if (role === 'model')
    return definedFields({
      role: 'assistant',
      content: text ?? null,
      reasoning_content: thought,
      tool_calls: call && [tool],
    })
  if (!media) return { role, content: text }
  const shown =
    media === 'image'
      ? { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }
      : {
          type: 'file',
          file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
        }
  return { role, content: [{ type: 'text', text }, shown] }
}

/** Chat has no budget, and no thinking off but the effort `none` and the field that others adopted. */
const chat: Writer = (question, model) => {
  const { system, turns, tools, choice, marks = 0, thinking, format } = question
  const [name = ''] = tools ?? []
  const cached = numbered(marks).map(index => ({
    type: 'text',
    text: `part ${index}`,
    cache_control: { type: 'ephemeral' },
  }))
  return definedFields({
    model,
    messages: [
      ...(system ? [{ role: 'system', content: system }] : []),
      ...(marks > 0 ? [{ role: 'user', content: cached }] : []),
      ...turns.map(each => chatTurn(each, name)),
    ],
    tools: tools?.map(each => ({ type: 'function', function: { name: each, parameters: empty } })),
    tool_choice: choice === 'named' ? { type: 'function', function: { name } } : choice,
    parallel_tool_calls: question.parallel,
    reasoning_effort: thinking === 'off' ? undefined : effortOf(thinking),
    thinking: thinking === 'off' ? { type: 'disabled' } : undefined,
    temperature: question.temperature,
    top_p: question.topP,
    stop: question.stops && stopsOf(question.stops),
    user: question.user,
    max_tokens: 4_096,
    response_format: format && { type: 'json_schema', json_schema: { name: 'a', schema } },
  })
}

const responsesItems = (
  { role, text, call, thought, media }: QuestionTurn,
  name: string,
): Written[] => {
  if (role === 'instruction') return [{ role: 'developer', content: text }]
  if (role === 'result') return [{ type: 'function_call_output', call_id: call, output: text }]
  if (role === 'model')
    return [
      ...(thought
        ? [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: thought }] }]
        : []),
      ...(text === undefined
        ? []
        : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
      ...(call ? [{ type: 'function_call', call_id: call, name, arguments: '{}' }] : []),
    ]
  if (!media) return [{ role, content: text }]
  const shown =
    media === 'image'
      ? { type: 'input_image', image_url: `data:image/png;base64,${png}` }
      : {
          type: 'input_file',
          filename: 'a.pdf',
          file_data: `data:application/pdf;base64,${pdf}`,
        }
  return [{ role, content: [{ type: 'input_text', text }, shown] }]
}

const responses: Writer = (question, model) => {
  const { system, turns, tools, choice, marks = 0, thinking, format } = question
  const [name = ''] = tools ?? []
  const texts = numbered(marks).map(index => ({ type: 'input_text', text: `part ${index}` }))
  const effort = effortOf(thinking)
  return definedFields({
    model,
    store: false,
    instructions: system,
    input: [
      ...(marks > 0 ? [{ role: 'user', content: texts }] : []),
      ...turns.flatMap(each => responsesItems(each, name)),
    ],
    tools: tools?.map(each => ({ type: 'function', name: each, parameters: empty })),
    tool_choice: choice === 'named' ? { type: 'function', name } : choice,
    parallel_tool_calls: question.parallel,
    reasoning: effort && { effort },
    temperature: question.temperature,
    top_p: question.topP,
    user: question.user,
    max_output_tokens: 4_096,
    text: format && { format: { type: 'json_schema', name: 'a', schema } },
  })
}

const messagesBlocks = (
  { role, text, call, thought, media }: QuestionTurn,
  name: string,
): Written[] => {
  if (role === 'result') return [{ type: 'tool_result', tool_use_id: call, content: text }]
  const bytes =
    media === 'image'
      ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
      : { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }
  return [
    ...(thought ? [{ type: 'thinking', thinking: thought, signature: 'c2ln' }] : []),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(media ? [bytes] : []),
    ...(call ? [{ type: 'tool_use', id: call, name, input: {} }] : []),
  ]
}

/** Results and the words after them share a message in this dialect. Claude Code writes later instructions as `system`. */
const messagesTurns = (turns: readonly QuestionTurn[], name: string): Written[] => {
  const written: { role: string; content: Written[] }[] = []
  for (const turn of turns) {
    const role = { model: 'assistant', instruction: 'system', user: 'user', result: 'user' }[
      turn.role
    ]
    const blocks = messagesBlocks(turn, name)
    const last = written.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else written.push({ role, content: blocks })
  }
  return written
}

const messagesThinking = (thinking: Question['thinking']): Written => {
  if (thinking === undefined) return {}
  if (thinking === 'off') return { thinking: { type: 'disabled' } }
  if (thinking === 'on') return { thinking: { type: 'adaptive' } }
  if (typeof thinking === 'number')
    return { thinking: { type: 'enabled', budget_tokens: thinking } }
  return {
    output_config: { effort: thinking === 'none' ? 'none' : thinking === 'lowest' ? 'low' : 'max' },
  }
}

const messages: Writer = (question, model) => {
  const { system, turns, tools, choice, marks = 0, thinking, format } = question
  const [name = ''] = tools ?? []
  const cached = numbered(marks).map(index => ({
    type: 'text',
    text: `part ${index}`,
    cache_control: { type: 'ephemeral' },
  }))
  const chosen =
    choice === 'named'
      ? { type: 'tool', name }
      : choice && { type: choice === 'none' ? 'none' : 'any' }
  const written = messagesThinking(thinking)
  return definedFields({
    model,
    max_tokens: 4_096,
    system,
    messages: [
      ...(marks > 0 ? [{ role: 'user', content: cached }] : []),
      ...messagesTurns(turns, name),
    ],
    tools: tools?.map(each => ({ name: each, input_schema: empty })),
    tool_choice:
      question.parallel === false ? { type: 'auto', disable_parallel_tool_use: true } : chosen,
    ...written,
    temperature: question.temperature,
    top_p: question.topP,
    stop_sequences: question.stops && stopsOf(question.stops),
    metadata: question.user && { user_id: question.user },
    ...(format && { output_config: { format: { type: 'json_schema', schema } } }),
  })
}

const geminiParts = (
  { role, text, call, thought, media }: QuestionTurn,
  name: string,
): Written[] => {
  if (role === 'result')
    return [{ functionResponse: { id: call, name, response: { result: text } } }]
  const bytes =
    media === 'image'
      ? { inlineData: { mimeType: 'image/png', data: png } }
      : { inlineData: { mimeType: 'application/pdf', data: pdf } }
  return [
    ...(thought ? [{ text: thought, thought: true }] : []),
    ...(text === undefined ? [] : [{ text }]),
    ...(media ? [bytes] : []),
    ...(call ? [{ functionCall: { id: call, name, args: {} } }] : []),
  ]
}

const geminiThinking = (thinking: Question['thinking']): Written | undefined => {
  if (thinking === undefined) return undefined
  if (thinking === 'on') return { includeThoughts: true, thinkingLevel: 'HIGH' }
  if (thinking === 'off' || thinking === 'none') return { thinkingBudget: 0 }
  if (typeof thinking === 'number') return { thinkingBudget: thinking }
  return { thinkingLevel: thinking === 'lowest' ? 'MINIMAL' : 'HIGH' }
}

const gemini: Writer = question => {
  const { system, turns, tools, choice, marks = 0, thinking, format } = question
  const [name = ''] = tools ?? []
  const modes = { required: 'ANY', named: 'ANY', none: 'NONE' }
  return definedFields({
    systemInstruction: system && { parts: [{ text: system }] },
    contents: [
      ...(marks > 0
        ? [{ role: 'user', parts: numbered(marks).map(index => ({ text: `part ${index}` })) }]
        : []),
      ...turns.map(each => ({
        role: each.role === 'model' ? 'model' : 'user',
        parts: geminiParts(each, name),
      })),
    ],
    tools: tools && [
      { functionDeclarations: tools.map(each => ({ name: each, parameters: empty })) },
    ],
    toolConfig: choice && {
      functionCallingConfig: {
        mode: modes[choice],
        ...(choice === 'named' ? { allowedFunctionNames: [name] } : {}),
      },
    },
    generationConfig: definedFields({
      maxOutputTokens: 4_096,
      temperature: question.temperature,
      topP: question.topP,
      stopSequences: question.stops && stopsOf(question.stops),
      thinkingConfig: geminiThinking(thinking),
      ...(format && { responseMimeType: 'application/json', responseJsonSchema: schema }),
    }),
  })
}

/** The question as a caller of each dialect writes it. */
export const writers = {
  'openai-chat': chat,
  'openai-responses': responses,
  anthropic: messages,
  gemini,
} as const satisfies Readonly<Record<string, Writer>>

export type CallerDialect = keyof typeof writers
