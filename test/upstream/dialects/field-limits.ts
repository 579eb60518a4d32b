import { invalid, type Refusal } from './openai-rules.ts'

type Body = Readonly<Record<string, unknown>>

/** Refuses a request with a field that is longer than its vendor allows, or has letters that the vendor does not. */
export const fieldRefusal = (path: string, body: Buffer): Refusal | undefined => {
  const rules = vendors.find(([addresses]) => addresses.test(path))?.[1]
  return rules && parsed(body, rules)
}

const parsed = (body: Buffer, rules: (body: Body) => Refusal | undefined) => {
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    return undefined
  }
  return typeof value === 'object' && value !== null ? rules(objectOf(value)) : undefined
}

/** The members of an object; none of any other value. */
const objectOf = (value: unknown): Body =>
  typeof value === 'object' && value !== null ? (value as Body) : {}

/** "Invalid 'user': string too long. Expected a string with maximum length 64, but got a string with length 150 instead." */
const tooLong = (name: string, value: unknown, max: number): Refusal | undefined =>
  typeof value === 'string' && value.length > max
    ? invalid(
        `Invalid '${name}': string too long. Expected a string with maximum length ${max}, but got a string with length ${value.length} instead.`,
        name,
        'string_above_max_length',
      )
    : undefined

const tooMany = (name: string, value: unknown, max: number): Refusal | undefined =>
  Array.isArray(value) && value.length > max
    ? invalid(
        `Invalid '${name}': array too long. Expected an array with maximum length ${max}, but got an array with length ${value.length} instead.`,
        name,
        'array_above_max_length',
      )
    : undefined

const first = (refusals: Iterable<Refusal | undefined>): Refusal | undefined => {
  for (const each of refusals) if (each) return each
  return undefined
}

const textOf = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' ? value : otherwise

const list = (value: unknown): Body[] => (Array.isArray(value) ? value.map(objectOf) : [])

/**
 * `user`, `safety_identifier`: https://developers.openai.com/api/reference/resources/responses/methods/create
 * `prompt_cache_key`: https://github.com/theopenco/llmgateway/pull/3110 (OpenAI and Azure)
 * `metadata`, 16 pairs of keys of 64 and values of 512 characters: the page of the first line
 */
const openaiFields = (body: Body): Refusal | undefined =>
  first([
    tooLong('user', body.user, 64),
    tooLong('safety_identifier', body.safety_identifier, 64),
    tooLong('prompt_cache_key', body.prompt_cache_key, 64),
    tooMany('metadata', Object.keys(body.metadata ?? {}), 16),
    ...Object.entries(body.metadata ?? {}).flatMap(([name, value]) => [
      tooLong('metadata', name, 64),
      tooLong(`metadata.${name}`, value, 512),
    ]),
  ])

/** Models of OpenAI's own: other vendors of this dialect have other limits. */
const openaiModel = /^(gpt-|o\d)/

/**
 * Four stop sequences: https://github.com/continuedev/continue/issues/2461
 * Ids of 40: https://github.com/microsoft/autogen/issues/6377
 */
const chatFields = (body: Body): Refusal | undefined => {
  const shared = openaiFields(body)
  if (shared || !openaiModel.test(textOf(body.model))) return shared
  return first([
    tooMany('stop', body.stop, 4),
    ...list(body.messages).flatMap((message, at) => [
      tooLong(`messages[${at}].tool_call_id`, message.tool_call_id, 40),
      ...list(message.tool_calls).map((call, index) =>
        tooLong(`messages[${at}].tool_calls[${index}].id`, call.id, 40),
      ),
    ]),
    ...list(body.tools).map((tool, at) =>
      tooLong(`tools[${at}].function.name`, objectOf(tool.function).name, 64),
    ),
  ])
}

/**
 * Ids of calls: https://github.com/decolua/9router/issues/393
 * Ids of items: https://github.com/can1357/oh-my-pi/issues/284
 */
const responsesFields = (body: Body): Refusal | undefined =>
  openaiFields(body) ??
  first([
    ...list(body.input).flatMap((item, at) => [
      tooLong(`input[${at}].call_id`, item.call_id, 64),
      tooLong(`input[${at}].id`, item.id, 64),
    ]),
    ...list(body.tools).map((tool, at) => tooLong(`tools[${at}].name`, tool.name, 128)),
  ])

const claudeRefusal = (message: string): Refusal => ({
  status: 400,
  body: { type: 'error', error: { type: 'invalid_request_error', message } } as Refusal['body'],
})

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0)

/**
 * `metadata.user_id`, 256 characters: https://platform.claude.com/docs/en/api/messages#metadata
 * Names: https://github.com/home-assistant/core/issues/147760
 * Ids: https://github.com/maximhq/bifrost/issues/5097
 */
const messagesFields = (body: Body): Refusal | undefined => {
  if (lengthOf(objectOf(body.metadata).user_id) > 256)
    return claudeRefusal('metadata.user_id: String should have at most 256 characters')
  if (!/^(us\.)?(anthropic\.)?claude/.test(textOf(body.model, 'claude'))) return undefined
  const odd = list(body.tools).findIndex(
    ({ name }) => name !== undefined && !/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(name)),
  )
  if (odd >= 0)
    return claudeRefusal(
      `tools.${odd}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    )
  const blocks = list(body.messages).flatMap(({ content }) => list(content))
  const id = blocks.map(each => each.id ?? each.tool_use_id).find(isOddId)
  if (id !== undefined)
    return claudeRefusal("tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
  return blocks.some(each => each.type === 'document' && lengthOf(each.title) > 500)
    ? claudeRefusal('document.title: String should have at most 500 characters')
    : undefined
}

const isOddId = (id: unknown): boolean => typeof id === 'string' && !/^[a-zA-Z0-9_-]+$/.test(id)

const googleRefusal = (message: string): Refusal => ({
  status: 400,
  body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
})

/**
 * Five stop sequences: https://github.com/continuedev/continue/issues/2702
 * Names: https://github.com/google-gemini/gemini-cli/issues/6704
 */
const geminiFields = (body: Body): Refusal | undefined => {
  if (list(objectOf(body.generationConfig).stopSequences).length > 5)
    return googleRefusal(
      '* GenerateContentRequest.generation_config.stop_sequences: the number of stop_sequences must not exceed 5.\n',
    )
  const names = list(body.tools).flatMap(each => list(each.functionDeclarations))
  return names.some(({ name }) => !/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/.test(textOf(name)))
    ? googleRefusal(
        '* GenerateContentRequest.tools[0].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.\n',
      )
    : undefined
}

const awsRefusal = (message: string): Refusal => ({
  status: 400,
  body: { message } as unknown as Refusal['body'],
})

/**
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html for the metadata,
 * .../API_runtime_ToolUseBlock.html for ids and names, .../API_runtime_DocumentBlock.html for names of documents
 */
const converseFields = (body: Body): Refusal | undefined => {
  const constraint = (value: unknown, at: string, pattern: RegExp): Refusal | undefined =>
    value === undefined || (typeof value === 'string' && pattern.test(value))
      ? undefined
      : awsRefusal(
          `1 validation error detected: Value at '${at}' failed to satisfy constraint: Member must satisfy regular expression pattern: ${pattern.source}`,
        )
  const metadata = Object.entries(body.requestMetadata ?? {})
  const blocks = list(body.messages).flatMap(({ content }) => list(content))
  const name = /^[a-zA-Z0-9_-]{1,64}$/
  return first([
    metadata.length > 16 ? awsRefusal('requestMetadata has more than 16 members.') : undefined,
    ...metadata.flatMap(each =>
      each.map(text => constraint(text, 'requestMetadata', /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/)),
    ),
    ...list(objectOf(body.toolConfig).tools).map(tool =>
      constraint(objectOf(tool.toolSpec).name, 'name', name),
    ),
    ...blocks.flatMap(block => {
      const [toolUse, toolResult] = [objectOf(block.toolUse), objectOf(block.toolResult)]
      const documentName = /^[a-zA-Z0-9\s()[\]-]{1,200}$/
      return [
        constraint(toolUse.name, 'name', name),
        constraint(toolUse.toolUseId, 'toolUseId', name),
        constraint(toolResult.toolUseId, 'toolUseId', name),
        constraint(objectOf(block.document).name, 'document.name', documentName),
      ]
    }),
  ])
}

const vendors: readonly (readonly [RegExp, (body: Body) => Refusal | undefined])[] = [
  [/\/chat\/completions(\?|$)/, chatFields],
  [/\/responses(\/input_tokens|\/compact)?(\?|$)/, responsesFields],
  [/\/messages(\/count_tokens)?(\?|$)|\/model\/.*\/invoke|:(streamR|r)awPredict/, messagesFields],
  [/:(generateContent|streamGenerateContent|countTokens)(\?|$)/, geminiFields],
  [/\/converse(-stream)?(\?|$)/, converseFields],
]
