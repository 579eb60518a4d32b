import type { Content, GenerateContentConfig, GenerateContentParameters, Tool } from '@google/genai'
import type { Ask } from '../cell.ts'
import { type Asks, given, some, type Tool as Told, type Turn } from '../facts.ts'
import { partsOf } from './gemini-parts.ts'

/** https://ai.google.dev/api/generate-content */
export const paramsOf = ({ model, asks, before = [] }: Ask): GenerateContentParameters => {
  const first = before[0]?.asks ?? asks
  const contents = [
    ...before.flatMap(each => [
      ...each.asks.turns.map(contentOf),
      ...(each.heard.native as Content[]),
    ]),
    ...asks.turns.map(contentOf),
  ]
  const config = { ...configOf(first), httpOptions: { extraBody: foreign(first, contents) } }
  return { model, contents, config: config as GenerateContentConfig }
}

export const contentOf = ({ from, pieces }: Turn): Content => ({
  role: from === 'model' ? 'model' : 'user',
  parts: partsOf(pieces),
})

const configOf = (asks: Asks) => {
  const { system, tools = [], choice, format, logprobs, speaks } = asks
  return given({
    ...plain(asks),
    systemInstruction: system && { parts: system.map(text => ({ text })) },
    tools: some(toolsOf(tools)),
    toolConfig: choice && { functionCallingConfig: callingOf(choice) },
    responseMimeType: format && 'application/json',
    responseJsonSchema: typeof format === 'object' ? format.schema : undefined,
    ...(logprobs === undefined ? {} : { responseLogprobs: true, logprobs }),
    thinkingConfig: thinkingOf(asks),
    // https://ai.google.dev/gemini-api/docs/speech-generation
    responseModalities: speaks && ['AUDIO'],
    speechConfig: speaks && {
      voiceConfig: { prebuiltVoiceConfig: { voiceName: speaks.voice } },
    },
  })
}

/** What is said by one field. */
export const fields = {
  outputMax: 'maxOutputTokens',
  temperature: 'temperature',
  topP: 'topP',
  topK: 'topK',
  presencePenalty: 'presencePenalty',
  frequencyPenalty: 'frequencyPenalty',
  stop: 'stopSequences',
  seed: 'seed',
  n: 'candidateCount',
  tier: 'serviceTier',
} as const satisfies Partial<Record<keyof Asks, keyof GenerateContentConfig>>

const plain = (asks: Asks) =>
  given(
    Object.fromEntries(
      Object.entries(fields).map(([fact, name]) => [name, asks[fact as keyof typeof fields]]),
    ),
  )

const toolsOf = (tools: readonly Told[]): Tool[] => {
  const own = tools.flatMap(tool => ('server' in tool ? [] : [declared(tool)]))
  const servers = tools.filter(tool => 'server' in tool)
  return [
    ...(own.length > 0 ? [{ functionDeclarations: own }] : []),
    ...servers.map(() => ({ googleSearch: {} })),
  ]
}

/** The last two are no words of this dialect. */
const declared = ({ name, about, schema, strict, cache }: Exclude<Told, { server: string }>) =>
  given({
    name,
    description: about,
    parametersJsonSchema: schema,
    strict,
    cache_control: cache && { type: 'ephemeral', ttl: cache },
  })

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

const callingOf = (choice: NonNullable<Asks['choice']>) =>
  typeof choice === 'string'
    ? { mode: modes[choice] }
    : { mode: 'ANY', allowedFunctionNames: [choice.tool] }

/** https://ai.google.dev/gemini-api/docs/thinking: -1 lets the model choose. */
const thinkingOf = ({ effort, budget, adaptive, thoughtless, showsThoughts }: Asks) => {
  const config = given({
    thinkingLevel: effort?.toUpperCase(),
    thinkingBudget: thoughtless ? 0 : adaptive ? -1 : budget,
    includeThoughts: showsThoughts,
  })
  return Object.keys(config).length > 0 ? config : undefined
}

/** No words of this dialect: openai-chat's, which the client sends as they are. */
const foreign = (asks: Asks, contents: readonly Content[]) =>
  given({
    ...asks.unknown,
    parallel_tool_calls: asks.parallel,
    user: asks.user,
    metadata: asks.metadata,
    // The client takes marks out of the parts that it knows.
    contents: JSON.stringify(contents).includes('"cache_control"') ? contents : undefined,
  })
