import type { Content, Tool as Declared, GenerateContentConfig } from '@google/genai'
import { piecesOf } from '../../callers/gemini/parts.ts'
import { fields } from '../../callers/gemini/write.ts'
import {
  definedFields,
  type NeutralRequest,
  nonEmpty,
  type Schema,
  type Tool,
  type Turn,
} from '../../neutral.ts'

// https://ai.google.dev/api/generate-content: the client's config, in the places that the wire has for it.
type Body = Pick<GenerateContentConfig, 'tools' | 'toolConfig' | 'serviceTier'> & {
  contents: Content[]
  systemInstruction?: Content
  generationConfig?: GenerateContentConfig
} & Foreign

type Foreign = {
  parallel_tool_calls?: boolean
  user?: string
  metadata?: Record<string, string>
  brand_new_field?: unknown
}

export const readBody = (input: unknown): NeutralRequest => {
  const body = input as Body
  const { generationConfig: config = {}, toolConfig, serviceTier, systemInstruction } = body
  return definedFields({
    ...plain({ ...config, ...(serviceTier ? { serviceTier } : {}) }),
    ...foreign(body),
    system: nonEmpty(systemInstruction?.parts?.map(({ text = '' }) => text)),
    turns: turnsOf(body.contents),
    tools: nonEmpty((body.tools ?? []).flatMap(tool => toolsOf(tool as Declared))),
    choice: choiceOf(toolConfig?.functionCallingConfig),
    logprobs: config.responseLogprobs ? (config.logprobs ?? 0) : undefined,
    format: formatOf(config),
    audioOutput: audioOutputOf(config),
    ...thinkingOf(config.thinkingConfig),
  })
}

const plain = (config: GenerateContentConfig): Partial<NeutralRequest> =>
  definedFields(
    Object.fromEntries(Object.entries(fields).map(([fact, name]) => [fact, config[name]])),
  )

/** Fields of other dialects that pass through unchanged. */
const foreign = (body: Foreign): Partial<NeutralRequest> =>
  definedFields({
    parallel: body.parallel_tool_calls,
    user: body.user,
    metadata: body.metadata,
    unknown: body.brand_new_field ? { brand_new_field: body.brand_new_field } : undefined,
  })

/** Contents of one role belong together: a history keeps the chunks of a stream as they came. */
const turnsOf = (contents: readonly Content[]): Turn[] => {
  const merged = contents.reduce<Required<Content>[]>((list, { role = 'user', parts = [] }) => {
    const last = list.at(-1)
    if (last && last.role === role && role === 'model') last.parts.push(...parts)
    else list.push({ role, parts: [...parts] })
    return list
  }, [])
  return merged.flatMap(({ role, parts }): Turn[] => {
    const pieces = piecesOf(parts)
    if (role === 'model') return [{ from: 'model', pieces }]
    const results = pieces.filter(piece => 'result' in piece)
    const rest = pieces.filter(piece => !('result' in piece))
    return [
      ...(results.length > 0 ? [{ from: 'tool' as const, pieces: results }] : []),
      ...(rest.length > 0 ? [{ from: 'user' as const, pieces: rest }] : []),
    ]
  })
}

type Function = NonNullable<Declared['functionDeclarations']>[number] & {
  strict?: boolean
  cache_control?: { ttl?: '5m' | '1h' }
}

const toolsOf = ({ functionDeclarations = [], googleSearch }: Declared): Tool[] => [
  ...functionDeclarations.map(declaredOf),
  ...(googleSearch ? [{ server: 'web-search' as const }] : []),
]

const declaredOf = (declared: Function): Tool => {
  const { name = '', description = '', parametersJsonSchema, strict, cache_control } = declared
  const schema = (parametersJsonSchema ?? {}) as Record<string, unknown>
  const cache = cache_control && (cache_control.ttl ?? '5m')
  return definedFields({ name, description: description, schema, strict, cache })
}

const choices: Readonly<Record<string, NeutralRequest['choice']>> = {
  AUTO: 'auto',
  NONE: 'none',
  ANY: 'required',
}

type Calling = NonNullable<
  NonNullable<GenerateContentConfig['toolConfig']>['functionCallingConfig']
>

const choiceOf = (calling: Calling | undefined): NeutralRequest['choice'] => {
  const [tool] = calling?.allowedFunctionNames ?? []
  return tool === undefined ? choices[calling?.mode ?? ''] : { tool }
}

const formatOf = ({ responseMimeType, responseJsonSchema }: GenerateContentConfig) => {
  if (responseMimeType !== 'application/json') return undefined
  // Schemas have no name in this dialect.
  if (responseJsonSchema) return { name: 'answer', schema: responseJsonSchema as Schema }
  return 'json' as const
}

type Speech = { voiceConfig?: { prebuiltVoiceConfig?: { voiceName?: string } } }

/** The format is always the same: https://ai.google.dev/gemini-api/docs/speech-generation */
const audioOutputOf = ({ responseModalities = [], speechConfig }: GenerateContentConfig) => {
  if (!responseModalities.includes('AUDIO')) return undefined
  const { voiceConfig } = (speechConfig ?? {}) as Speech
  return { voice: voiceConfig?.prebuiltVoiceConfig?.voiceName ?? '', format: 'pcm16' }
}

const thinkingOf = (config: GenerateContentConfig['thinkingConfig']): Partial<NeutralRequest> => {
  const { thinkingBudget: budget, thinkingLevel: level, includeThoughts } = config ?? {}
  return definedFields({
    effort: level?.toLowerCase(),
    budget: budget !== undefined && budget > 0 ? budget : undefined,
    adaptive: budget === -1 || undefined,
    thinkingDisabled: budget === 0 || undefined,
    thoughtsShown: includeThoughts || undefined,
  })
}
