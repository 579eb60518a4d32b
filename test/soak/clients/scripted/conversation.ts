// biome-ignore lint/suspicious/noExplicitAny: each dialect has its own shape
export type Json = any

/** How a request is written, by its path. `invoke` is Bedrock's form of the Messages API. */
export type Wire = 'chat' | 'responses' | 'anthropic' | 'gemini' | 'converse' | 'invoke'

const wirePaths: readonly [RegExp, Wire][] = [
  [/\/chat\/completions$/, 'chat'],
  [/\/responses$/, 'responses'],
  [/\/messages$/, 'anthropic'],
  [/:(streamG|g)enerateContent/, 'gemini'],
  [/\/converse(-stream)?$/, 'converse'],
  [/\/invoke(-with-response-stream)?$/, 'invoke'],
]

export const wireOf = (path: string): Wire | undefined => {
  const [bare = ''] = path.split('?')
  return wirePaths.find(([pattern]) => pattern.test(bare))?.[1]
}

export type Message = {
  role: 'user' | 'model' | 'tool'
  text: string
  /** Ids of the calls that the model made, or of those whose results these are. */
  calls: string[]
  images: number
}

export type Tool = { name: string; kind: string; fields: Json; required: readonly string[] }

/** The question of a client to a model, in any dialect. */
export type Conversation = { messages: Message[]; tools: Tool[] }

const array = (value: Json): Json[] => (Array.isArray(value) ? value : [])

const textOf = (content: Json): string => {
  if (typeof content === 'string') return content
  return array(content)
    .map(each => (typeof each.text === 'string' ? each.text : ''))
    .join('\n')
}

const isImage = (part: Json): boolean =>
  /image/.test(String(part.type)) ||
  part.image !== undefined ||
  /^image\//.test(String(part.inlineData?.mimeType ?? ''))

const imagesIn = (content: Json): number =>
  array(content).filter(isImage).length +
  array(content).reduce((count, each) => count + imagesIn(each.content), 0)

const message = (role: Message['role'], content: Json, calls: string[] = []): Message => ({
  role,
  text: textOf(content),
  calls,
  images: imagesIn(content),
})

const chatMessages = ({ messages }: Json): Message[] =>
  array(messages)
    .filter(({ role }) => role !== 'system' && role !== 'developer')
    .map(({ role, content, tool_calls, tool_call_id }) => {
      if (role === 'tool') return message('tool', content, [tool_call_id])
      const calls = array(tool_calls).map(each => each.id)
      return message(role === 'assistant' ? 'model' : 'user', content, calls)
    })

const responsesMessages = ({ input }: Json): Message[] =>
  array(input).flatMap(({ type, role, content, call_id, output }): Message[] => {
    if (/_call_output$/.test(type)) return [message('tool', output, [call_id])]
    if (/_call$/.test(type)) return [message('model', '', [call_id])]
    if (role === 'assistant') return [message('model', content)]
    return role === 'user' ? [message('user', content)] : []
  })

/** Results stand in the messages of the user, next to their words. */
const blockMessages = (messages: Json, idsOf: (block: Json, isResult: boolean) => string[]) =>
  array(messages).flatMap(({ role, content }): Message[] => {
    const results = array(content).flatMap(each => idsOf(each, true))
    const calls = array(content).flatMap(each => idsOf(each, false))
    if (role === 'assistant' || role === 'model') return [message('model', content, calls)]
    if (role === 'system') return []
    const words = message('user', content)
    const result: Message = { role: 'tool', text: '', calls: results, images: 0 }
    const isOnlyResults = words.text.trim() === '' && words.images === 0
    return [...(results.length > 0 ? [result] : []), ...(isOnlyResults ? [] : [words])]
  })

const anthropicIds = ({ type, id, tool_use_id }: Json, isResult: boolean): string[] => {
  if (type === (isResult ? 'tool_result' : 'tool_use')) return [isResult ? tool_use_id : id]
  return []
}

const converseIds = ({ toolUse, toolResult }: Json, isResult: boolean): string[] => {
  const found = isResult ? toolResult : toolUse
  return found ? [found.toolUseId] : []
}

/** Gemini tells calls apart by their names where they have no id. */
const geminiIds = ({ functionCall, functionResponse }: Json, isResult: boolean): string[] => {
  const found = isResult ? functionResponse : functionCall
  return found ? [found.id ?? found.name] : []
}

const readers: Record<Wire, (body: Json) => Message[]> = {
  chat: chatMessages,
  responses: responsesMessages,
  anthropic: ({ messages }) => blockMessages(messages, anthropicIds),
  invoke: ({ messages }) => blockMessages(messages, anthropicIds),
  converse: ({ messages }) => blockMessages(messages, converseIds),
  gemini: ({ contents }) =>
    blockMessages(
      array(contents).map(({ role, parts }) => ({ role, content: parts })),
      geminiIds,
    ),
}

/** Tools of a Responses client may stand in items of the input, and in namespaces. */
const offered = (body: Json): Json[] =>
  [
    ...array(body.tools),
    ...array(body.toolConfig?.tools),
    ...array(body.input).flatMap(each => array(each.tools)),
  ].flatMap(each => [
    ...array(each.functionDeclarations),
    ...array(each.tools),
    each.toolSpec ?? each.function ?? each,
  ])

const toolOf = (given: Json): Tool => {
  const schema =
    given.input_schema ??
    given.parametersJsonSchema ??
    given.parameters ??
    given.inputSchema?.json ??
    {}
  return {
    name: given.name,
    kind: given.type ?? 'function',
    fields: schema.properties ?? {},
    required: schema.required ?? [],
  }
}

export const readConversation = (wire: Wire, body: Json): Conversation => ({
  messages: readers[wire](body),
  tools: offered(body)
    .filter(each => typeof each.name === 'string')
    .map(toolOf),
})
