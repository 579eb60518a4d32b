import { jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai'
import type { ClientCall } from '../../cell.ts'
import {
  definedFields,
  type Media,
  type NeutralRequest,
  nonEmpty,
  type Piece,
  type Turn,
} from '../../neutral.ts'

/** https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text */
export const optionsOf = ({ request, before = [] }: ClientCall) => {
  const first = before[0]?.request ?? request
  const { system = [], tools = [], choice, headers, stop } = first
  const messages: ModelMessage[] = [
    ...before.flatMap(each => [
      ...each.request.turns.map(messageOf),
      ...(each.received.native as ModelMessage[]),
    ]),
    ...request.turns.map(messageOf),
  ]
  return definedFields({
    messages,
    instructions: nonEmpty(system.join('\n')),
    tools: tools.length > 0 ? toolsOf(tools) : undefined,
    toolChoice: choice === undefined ? undefined : choiceOf(choice),
    maxOutputTokens: first.outputMax,
    temperature: first.temperature,
    topP: first.topP,
    stopSequences: stop,
    headers,
    maxRetries: 0,
    // Answers go back whole: a vendor of another dialect keeps none.
    providerOptions: { openai: { store: false } },
  })
}

const messageOf = ({ from, pieces }: Turn): ModelMessage => {
  if (from === 'user') return { role: 'user', content: pieces.map(partOf) }
  if (from === 'tool') return { role: 'tool', content: pieces.flatMap(resultOf) }
  return { role: 'assistant', content: pieces.flatMap(saidOf) }
}

const partOf = (piece: Piece) => {
  if ('text' in piece) return { type: 'text' as const, text: piece.text }
  if ('image' in piece) return fileOf(piece.image)
  if ('file' in piece) return fileOf(piece.file)
  throw new Error(`not asked by this client: ${Object.keys(piece)[0]}`)
}

const fileOf = ({ mime, data = '', name }: Media) =>
  definedFields({ type: 'file', data, mediaType: mime, filename: name })

type Said = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>

const saidOf = (piece: Piece): Said => {
  if ('text' in piece) return [{ type: 'text' as const, text: piece.text }]
  if (!('call' in piece)) return []
  const { call: toolName, id: toolCallId, input } = piece
  return [{ type: 'tool-call' as const, toolCallId, toolName, input }]
}

const resultOf = (piece: Piece) => {
  if (!('result' in piece)) return []
  const { result: toolCallId, toolName, pieces } = piece
  const value = pieces.flatMap(each => ('text' in each ? [each.text] : [])).join('')
  return [
    {
      type: 'tool-result' as const,
      toolCallId,
      toolName,
      output: { type: 'text' as const, value },
    },
  ]
}

const toolsOf = (tools: NonNullable<NeutralRequest['tools']>): ToolSet =>
  Object.fromEntries(
    tools.flatMap(each =>
      'server' in each
        ? []
        : [
            [
              each.name,
              tool({ description: each.description, inputSchema: jsonSchema(each.schema) }),
            ],
          ],
    ),
  )

const choiceOf = (choice: NonNullable<NeutralRequest['choice']>) =>
  typeof choice === 'string' ? choice : { type: 'tool' as const, toolName: choice.tool }
