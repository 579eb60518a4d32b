import { numberOf } from '../script.ts'
import { pause, reset, type Turn, write } from '../turn.ts'
import { type AwsEvent, awsFrame, isSigned } from './aws.ts'
import { pieceOf, startStream } from './chat.ts'

/** Requests to `/model/{id}/converse` or `…/converse-stream`. */
export const converseModel = (path: string): string | undefined => {
  const [, id] = /\/model\/([^/]+)\/converse(?:-stream)?$/.exec(path) ?? []
  return id === undefined ? undefined : decodeURIComponent(id)
}

const json = (turn: Turn, status: number, body: unknown): void => {
  turn.response.writeHead(status, { 'content-type': 'application/json' })
  turn.response.end(JSON.stringify(body))
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const converse = async (turn: Turn): Promise<void> => {
  const { request, script, served } = turn
  if (!(await isSigned(request, served.body)))
    return json(turn, 403, { message: 'The request signature we calculated does not match.' })
  const status = script.get('status')
  if (status)
    return json(turn, Number(status), { message: script.get('keywords') ?? `It is ${status}.` })
  if (served.path.endsWith('-stream')) return stream(turn)
  const content = script.has('tools')
    ? [{ text: 'Let me see.' }, { toolUse: { ...call, input: JSON.parse(input.join('')) } }]
    : [{ text: piecesOf(turn).join('') }]
  served.pieces = served.outputTokens
  json(turn, 200, {
    output: { message: { role: 'assistant', content } },
    stopReason: stopOf(turn),
    usage: usageOf(turn),
    metrics: { latencyMs: 10 },
  })
  served.complete = true
}

const call = { toolUseId: 'tooluse_abc123', name: 'get_current_weather' }
const input = ['{"location":', ' "Boston, MA"}']

const piecesOf = (turn: Turn) =>
  Array.from({ length: turn.served.outputTokens }, (_, at) => pieceOf(turn, at))

const stopOf = ({ script }: Turn) => (script.has('tools') ? 'tool_use' : 'end_turn')

/** Cached tokens are counted next to the input, not within it. */
const usageOf = ({ script, served }: Turn) => {
  const { promptTokens: inputTokens, outputTokens } = served
  const read = numberOf(script, 'read', 0)
  const written = numberOf(script, 'written', 0)
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens + read + written,
    ...(read > 0 ? { cacheReadInputTokens: read } : {}),
    ...(written > 0 ? { cacheWriteInputTokens: written } : {}),
  }
}

const text = (piece: string): AwsEvent => [
  'contentBlockDelta',
  { contentBlockIndex: 0, delta: { text: piece }, p: 'abcdefgh' },
]

/** The model's content in the order of the stream; text blocks begin without text. */
const eventsOf = (turn: Turn): AwsEvent[] => {
  const { script, served } = turn
  const texts = piecesOf(turn).map(text)
  if (!script.has('tools')) return texts
  const contentBlockIndex = 1
  return [
    ...texts.slice(0, served.outputTokens),
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['contentBlockStart', { contentBlockIndex, start: { toolUse: call } }],
    ...input.map(
      (each): AwsEvent => [
        'contentBlockDelta',
        { contentBlockIndex, delta: { toolUse: { input: each } } },
      ],
    ),
  ]
}

const stream = async (turn: Turn): Promise<void> => {
  const { script, served } = turn
  const events = eventsOf(turn)
  const breaksAfter = numberOf(script, 'fin', numberOf(script, 'reset', Number.POSITIVE_INFINITY))
  const exception = script.get('exception')
  const failsAfter = exception ? numberOf(script, 'after', 0) : Number.POSITIVE_INFINITY
  startStream(turn, 'application/vnd.amazon.eventstream')
  const writeEvent = async (event: AwsEvent) => write(turn, await awsFrame(event))
  if (!(await writeEvent(['messageStart', { role: 'assistant' }]))) return
  for (const [at, event] of events.entries()) {
    if (at >= failsAfter && exception) {
      await writeEvent([exception, { message: 'It went wrong.' }])
      return void turn.response.end()
    }
    if (at >= breaksAfter) return script.has('reset') ? reset(turn) : void turn.response.end()
    if (!(await pause(turn, numberOf(script, 'every', 0)))) return
    if (!(await writeEvent(event))) return
    served.pieces += 1
  }
  await writeEvent(['contentBlockStop', { contentBlockIndex: script.has('tools') ? 1 : 0 }])
  await writeEvent(['messageStop', { stopReason: stopOf(turn) }])
  await writeEvent(['metadata', { usage: usageOf(turn), metrics: { latencyMs: 10 } }])
  turn.response.end()
  served.complete = true
}
