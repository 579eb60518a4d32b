import { readFileSync } from 'node:fs'
import { numberOf } from '../script.ts'
import { hang, pause, reset, type Turn, write } from '../turn.ts'

const fixture = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url))

export const frame = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
export const done = 'data: [DONE]\n\n'

const base = (turn: Turn) => ({
  id: `chatcmpl-${turn.served.n}`,
  created: 1_741_569_952,
  model: turn.served.model,
})

export const chunkOf = (turn: Turn, delta: object, finish: string | null = null) => ({
  ...base(turn),
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

export const pieceOf = (turn: Turn, at: number): string =>
  `t${at} `.padEnd(numberOf(turn.script, 'size', 4), 'x')

/** The usage that the response reports; `undefined` where the script suppresses it. */
export const usageOf = ({ script, served }: Turn): unknown => {
  const prompt_tokens = served.promptTokens
  const completion_tokens = served.outputTokens
  const honest = {
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
  }
  const lies: Record<string, unknown> = {
    negative: { ...honest, completion_tokens: -5 },
    huge: {
      ...honest,
      completion_tokens: 9_007_199_254_740_991,
      total_tokens: 9_007_199_254_740_991,
    },
    float: { ...honest, completion_tokens: 1.5 },
    string: { ...honest, prompt_tokens: '10', completion_tokens: '5' },
    over: { ...honest, completion_tokens: completion_tokens * 1000 },
    null: null,
    zero: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    missing: undefined,
  }
  const lie = script.get('usage')
  return lie === undefined ? honest : lies[lie]
}

export const startStream = (turn: Turn, type = 'text/event-stream'): void => {
  turn.response.writeHead(200, { 'content-type': type, 'x-request-id': `up-${turn.served.n}` })
  turn.response.flushHeaders()
}

/** The first frame and `count` pieces of text, as the script paces them. False: cut short. */
export const sendPieces = async (turn: Turn, count: number): Promise<boolean> => {
  const every = numberOf(turn.script, 'every', 0)
  if (!(await write(turn, frame(chunkOf(turn, { role: 'assistant', content: '' }))))) return false
  for (let at = 0; at < count; at += 1) {
    if (!(await pause(turn, every))) return false
    if (!(await write(turn, frame(chunkOf(turn, { content: pieceOf(turn, at) }))))) return false
    turn.served.pieces += 1
  }
  return true
}

/** Finish, usage and the closing frame. */
export const sendEnd = async (turn: Turn): Promise<void> => {
  await write(turn, frame(chunkOf(turn, {}, 'stop')))
  const usage = usageOf(turn)
  if (turn.wantsUsage && usage !== undefined)
    await write(turn, frame({ ...base(turn), object: 'chat.completion.chunk', choices: [], usage }))
  if (!(await write(turn, done))) return
  turn.response.end()
  turn.served.complete = true
}

const streamChat = async (turn: Turn): Promise<void> => {
  const { script, served } = turn
  startStream(turn)
  if (script.get('reset') === 'headers') {
    await pause(turn, 20)
    return reset(turn)
  }
  const cut = ['reset', 'stall', 'fin'].find(word => /^\d+$/.test(script.get(word) ?? ''))
  const count = cut ? numberOf(script, cut, 0) : served.outputTokens
  if (!(await sendPieces(turn, count))) return
  if (script.get('reset') === 'middle') {
    await write(turn, frame(chunkOf(turn, { content: 'never whole' })).slice(0, 60))
    await pause(turn, 20)
    return reset(turn)
  }
  if (cut === 'reset') {
    await pause(turn, 20)
    return reset(turn)
  }
  if (cut === 'stall') return hang(turn)
  if (cut === 'fin') return void turn.response.end()
  await sendEnd(turn)
}

const answerChat = async (turn: Turn): Promise<void> => {
  const { response, served, script } = turn
  if (!(await pause(turn, served.outputTokens * numberOf(script, 'every', 0)))) return
  const content = Array.from({ length: served.outputTokens }, (_, at) => pieceOf(turn, at)).join('')
  const usage = usageOf(turn)
  const body = JSON.stringify({
    ...base(turn),
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage === undefined ? {} : { usage }),
  })
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': `up-${served.n}` })
  served.pieces = served.outputTokens
  served.bytes = Buffer.byteLength(body)
  response.end(body)
  served.complete = true
}

const play = async (turn: Turn, name: string): Promise<void> => {
  const body = fixture(turn.stream ? `${name}.stream.sse` : `${name}.answer.json`)
  if (turn.stream) startStream(turn)
  else turn.response.writeHead(200, { 'content-type': 'application/json' })
  const usage = /"usage":\s*(\{.*)/s.exec(body.toString())?.[1] ?? ''
  turn.served.promptTokens = Number(/"prompt_tokens":\s*(\d+)/.exec(usage)?.[1] ?? 0)
  turn.served.outputTokens = Number(/"completion_tokens":\s*(\d+)/.exec(usage)?.[1] ?? 0)
  const text = turn.wantsUsage || !turn.stream ? body : withoutUsage(body.toString())
  await write(turn, text)
  turn.response.end()
  turn.served.complete = true
}

/** The events that the vendor sends without `include_usage`. */
const withoutUsage = (text: string): string =>
  text
    .split('\n\n')
    .filter(each => !each.includes('"choices":[]'))
    .map(each => each.replace(',"usage":null', ''))
    .join('\n\n')

export const chat = async (turn: Turn): Promise<void> => {
  const name = turn.script.has('tools') ? 'tools' : turn.script.get('play')
  if (name) return play(turn, name)
  return turn.stream ? streamChat(turn) : answerChat(turn)
}
