import { pause, type Turn } from '../../../upstream/turn.ts'
import { type Billed, bill, type Counted } from './meter.ts'

/** The user sends the first text in each turn, and the last answer of the turn is the second. */
export const askTurn = (turn: number) => `Turn ${turn}: let five agents look.`
export const turnDone = (turn: number) => `Turn ${turn} is done.`
export const agents = 5
/** Commands that each agent runs before it reports. */
export const commands = 2

// biome-ignore lint/suspicious/noExplicitAny: the client's body has many shapes
type Json = any

type Block = { type: string } & Record<string, unknown>

const textsOf = (content: Json): string =>
  typeof content === 'string'
    ? content
    : content.map((each: Json) => (each.type === 'text' ? each.text : '')).join('\n')

/** `agent` is 0 for the conversation with the user. */
export type Conversation = { turn: number; agent: number; results: number }

/** The conversation of the user, or that of an agent, by the prompt that began it. */
const readConversation = ({ messages }: Json): Conversation | undefined => {
  const users: Json[] = messages.filter((each: Json) => each.role === 'user')
  const [, turn, agent] = /Agent (\d+)\.(\d+):/.exec(textsOf(users[0]?.content ?? '')) ?? []
  const results = (list: Json[]): number =>
    list
      .flatMap(each => (typeof each.content === 'string' ? [] : each.content))
      .filter((each: Json) => each.type === 'tool_result').length
  if (agent) return { turn: Number(turn), agent: Number(agent), results: results(users) }
  const promptIndex = users.findLastIndex(each => /Turn \d+: let/.test(textsOf(each.content)))
  if (promptIndex < 0) return undefined
  const found = [...textsOf(users[promptIndex].content).matchAll(/Turn (\d+): let/g)].at(-1)
  return { turn: Number(found?.[1]), agent: 0, results: results(users.slice(promptIndex)) }
}

const blocksOf = (body: Json): Block[] => {
  const conversation = readConversation(body)
  const offered: string[] = (body.tools ?? []).map((each: Json) => each.name)
  if (!conversation || offered.length === 0) return [{ type: 'text', text: 'Five agents' }]
  const { turn, agent, results } = conversation
  const tool = (name: string, input: object, at = 0) => ({
    type: 'tool_use',
    id: `toolu_${turn}_${agent}_${results}_${at}`,
    name,
    input,
  })
  if (agent > 0) {
    if (results >= commands) return [{ type: 'text', text: `Agent ${turn}.${agent} has looked.` }]
    const command = `echo agent-${turn}-${agent}-${results}`
    return [tool('Bash', { command, description: 'Prints a line' })]
  }
  if (results > 0) return [{ type: 'text', text: turnDone(turn) }]
  const name = offered.find(each => each === 'Agent' || each === 'Task')
  if (!name) throw new Error(`The client offers no tool for agents: ${offered.join(', ')}`)
  return Array.from({ length: agents }, (_, at) =>
    tool(
      name,
      {
        description: `Looks at part ${at + 1}`,
        prompt: `Agent ${turn}.${at + 1}: print two lines, and report.`,
        subagent_type: 'general-purpose',
        run_in_background: false,
      },
      at,
    ),
  )
}

/**
 * Four bytes are a token. The cache has what an earlier request of the conversation had, and the tools and the system
 * prompt of any earlier request: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const countPrompt = (body: Json, cache: Map<string, number>): Omit<Counted, 'output'> => {
  const text = JSON.stringify(body)
  const all = Math.ceil(text.length / 4)
  if (!text.includes('"cache_control"')) return { input: all, cached: 0, fiveMinutes: 0, hour: 0 }
  const { turn, agent } = readConversation(body) ?? { turn: 0, agent: -1 }
  const prefix = JSON.stringify([body.tools, body.system])
  const conversation = agent > 0 ? `${turn}.${agent}` : `user ${agent}`
  const known = Math.max(cache.get(prefix) ?? 0, cache.get(conversation) ?? 0)
  const cached = Math.min(all, known)
  const input = Math.min(all - cached, 20)
  cache.set(prefix, Math.ceil(prefix.length / 4))
  cache.set(conversation, all - input)
  const written = all - cached - input
  const isHour = text.includes('"ttl":"1h"')
  return { input, cached, fiveMinutes: isHour ? 0 : written, hour: isHour ? written : 0 }
}

const usageOf = ({ input, cached, fiveMinutes, hour }: Omit<Counted, 'output'>) => ({
  input_tokens: input,
  cache_creation_input_tokens: fiveMinutes + hour,
  cache_read_input_tokens: cached,
  cache_creation: { ephemeral_5m_input_tokens: fiveMinutes, ephemeral_1h_input_tokens: hour },
  service_tier: 'standard',
})

const signature = `${'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds+/'.repeat(9)}==`

/** The events of a block: https://platform.claude.com/docs/en/build-with-claude/streaming */
const eventsOf = (block: Block, index: number): Block[] => {
  const delta = (fields: object) => ({ type: 'content_block_delta', index, delta: fields })
  const { input, text, signature: signed, ...empty } = block
  const start = {
    ...empty,
    ...(input === undefined ? {} : { input: {} }),
    ...(text === undefined ? {} : { text: '' }),
    ...(signed === undefined ? {} : { signature: '' }),
  }
  return [
    { type: 'content_block_start', index, content_block: start },
    ...(signed === undefined ? [] : [delta({ type: 'signature_delta', signature: signed })]),
    ...(text === undefined ? [] : [delta({ type: 'text_delta', text })]),
    ...(input === undefined
      ? []
      : [delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) })]),
    { type: 'content_block_stop', index },
  ]
}

export type ClaudePlay = {
  /** Milliseconds that the model thinks before its first block. */
  thinks(conversation: Conversation | undefined): number
  /** Tokens that the model thinks, next to those of its answer. */
  thinkingTokens: number
}

/** A Claude that starts five agents in each turn, thinks without telling, and writes its own bill. */
export const playClaude = (billed: Billed[], { thinks, thinkingTokens }: ClaudePlay) => {
  const cache = new Map<string, number>()
  return async (turn: Turn): Promise<void> => {
    const { served, response } = turn
    const body: Json = JSON.parse(String(served.body))
    const prompt = countPrompt(body, cache)
    const isThinking = body.thinking !== undefined && body.thinking.type !== 'disabled'
    const blocks = blocksOf(body)
    const shown = Math.ceil(JSON.stringify(blocks).length / 4)
    const output = shown + (isThinking ? thinkingTokens : 0)
    billed.push(bill(served.model, { ...prompt, output }))
    const write = (event: Block) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    const message = { id: `msg_${served.n}`, type: 'message', role: 'assistant', content: [] }
    const begun = { ...usageOf(prompt), output_tokens: 1 }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    write({
      type: 'message_start',
      message: { ...message, model: served.model, stop_reason: null, usage: begun },
    })
    await pause(turn, thinks(readConversation(body)))
    const thought = isThinking ? [{ type: 'thinking', thinking: '', signature }] : []
    for (const [index, block] of [...thought, ...blocks].entries())
      eventsOf(block, index).forEach(write)
    const stop_reason = blocks.some(each => each.type === 'tool_use') ? 'tool_use' : 'end_turn'
    const delta = { stop_reason, stop_sequence: null }
    write({ type: 'message_delta', delta, usage: { output_tokens: output } })
    write({ type: 'message_stop' })
    response.end()
    served.complete = true
  }
}
