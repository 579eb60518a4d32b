import type { Content, GenerateContentConfig, GenerateContentParameters, Tool } from '@google/genai'
import type { ClientCall } from '../../cell.ts'
import {
  type Tool as CellState,
  definedFields,
  type NeutralRequest,
  nonEmpty,
  type Turn,
} from '../../neutral.ts'
import { partsOf } from './parts.ts'

/** https://ai.google.dev/api/generate-content */
export const paramsOf = ({
  model,
  request,
  before = [],
}: ClientCall): GenerateContentParameters => {
  const first = before[0]?.request ?? request
  const contents = [
    ...before.flatMap(each => [
      ...each.request.turns.map(contentOf),
      ...(each.received.native as Content[]),
    ]),
    ...request.turns.map(contentOf),
  ]
  const config = { ...configOf(first), httpOptions: { extraBody: foreign(first, contents) } }
  return { model, contents, config: config as GenerateContentConfig }
}

export const contentOf = ({ from, pieces }: Turn): Content => ({
  role: from === 'model' ? 'model' : 'user',
  parts: partsOf(pieces),
})

const configOf = (request: NeutralRequest) => {
  const { system, tools = [], choice, format, logprobs, audioOutput } = request
  return definedFields({
    ...plain(request),
    systemInstruction: system && { parts: system.map(text => ({ text })) },
    tools: nonEmpty(toolsOf(tools)),
    toolConfig: choice && { functionCallingConfig: callingOf(choice) },
    responseMimeType: format && 'application/json',
    responseJsonSchema: typeof format === 'object' ? format.schema : undefined,
    ...(logprobs === undefined ? {} : { responseLogprobs: true, logprobs }),
    thinkingConfig: thinkingOf(request),
    // https://ai.google.dev/gemini-api/docs/speech-generation
    responseModalities: audioOutput && ['AUDIO'],
    speechConfig: audioOutput && {
      voiceConfig: { prebuiltVoiceConfig: { voiceName: audioOutput.voice } },
    },
  })
}

/** Settings that map to one field each. */
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
} as const satisfies Partial<Record<keyof NeutralRequest, keyof GenerateContentConfig>>

const plain = (request: NeutralRequest) =>
  definedFields(
    Object.fromEntries(
      Object.entries(fields).map(([fact, name]) => [name, request[fact as keyof typeof fields]]),
    ),
  )

const toolsOf = (tools: readonly CellState[]): Tool[] => {
  const own = tools.flatMap(tool => ('server' in tool ? [] : [declared(tool)]))
  const servers = tools.filter(tool => 'server' in tool)
  return [
    ...(own.length > 0 ? [{ functionDeclarations: own }] : []),
    ...servers.map(() => ({ googleSearch: {} })),
  ]
}

/** The last two are no words of this dialect. */
const declared = ({
  name,
  description,
  schema,
  strict,
  cache,
}: Exclude<CellState, { server: string }>) =>
  definedFields({
    name,
    description: description,
    parametersJsonSchema: schema,
    strict,
    cache_control: cache && { type: 'ephemeral', ttl: cache },
  })

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

const callingOf = (choice: NonNullable<NeutralRequest['choice']>) =>
  typeof choice === 'string'
    ? { mode: modes[choice] }
    : { mode: 'ANY', allowedFunctionNames: [choice.tool] }

/** https://ai.google.dev/gemini-api/docs/thinking: -1 lets the model choose. */
const thinkingOf = ({
  effort,
  budget,
  adaptive,
  thinkingDisabled,
  thoughtsShown,
}: NeutralRequest) => {
  const config = definedFields({
    thinkingLevel: effort?.toUpperCase(),
    thinkingBudget: thinkingDisabled ? 0 : adaptive ? -1 : budget,
    includeThoughts: thoughtsShown,
  })
  return Object.keys(config).length > 0 ? config : undefined
}

/** No words of this dialect: openai-chat's, which the client sends as they are. */
const foreign = (request: NeutralRequest, contents: readonly Content[]) =>
  definedFields({
    ...request.unknown,
    parallel_tool_calls: request.parallel,
    user: request.user,
    metadata: request.metadata,
    // The client takes marks out of the parts that it knows.
    contents: JSON.stringify(contents).includes('"cache_control"') ? contents : undefined,
  })
