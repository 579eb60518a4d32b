import { jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai'
import type { Ask } from '../cell.ts'
import { type Asks, given, type Media, type Piece, some, type Turn } from '../facts.ts'

/** https://ai-sdk.dev/docs/reference/ai-sdk-core/generate-text */
export const optionsOf = ({ asks, before = [] }: Ask) => {
  const first = before[0]?.asks ?? asks
  const { system = [], tools = [], choice, headers, stop } = first
  const messages: ModelMessage[] = [
    ...before.flatMap(each => [
      ...each.asks.turns.map(messageOf),
      ...(each.heard.native as ModelMessage[]),
    ]),
    ...asks.turns.map(messageOf),
  ]
  return given({
    messages,
    instructions: some(system.join('\n')),
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
  given({ type: 'file', data, mediaType: mime, filename: name })

type Said = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>

const saidOf = (piece: Piece): Said => {
  if ('text' in piece) return [{ type: 'text' as const, text: piece.text }]
  if (!('call' in piece)) return []
  const { call: toolName, id: toolCallId, input } = piece
  return [{ type: 'tool-call' as const, toolCallId, toolName, input }]
}

const resultOf = (piece: Piece) => {
  if (!('result' in piece)) return []
  const { result: toolCallId, of: toolName, pieces } = piece
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

const toolsOf = (tools: NonNullable<Asks['tools']>): ToolSet =>
  Object.fromEntries(
    tools.flatMap(each =>
      'server' in each
        ? []
        : [[each.name, tool({ description: each.about, inputSchema: jsonSchema(each.schema) })]],
    ),
  )

const choiceOf = (choice: NonNullable<Asks['choice']>) =>
  typeof choice === 'string' ? choice : { type: 'tool' as const, toolName: choice.tool }
