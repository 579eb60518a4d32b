import { pause, type Turn } from '../../../upstream/turn.ts'
import { type Billed, bill } from './meter.ts'

export const askCodex = (turn: number) => `Turn ${turn}: print two lines.`
export const codexDone = (turn: number) => `Turn ${turn} is done.`
/** Commands that the model runs before it answers. */
export const codexCommands = 2

// biome-ignore lint/suspicious/noExplicitAny: the client's body has many shapes
type Json = any

const encrypted = 'gAAAAABo'.repeat(60)

/** Codex offers its tools in an item of the input, in the namespace `functions`. */
const runCommand = (id: string, command: string) => ({
  type: 'custom_tool_call',
  id: `ctc_${id}`,
  status: 'completed',
  call_id: `call_${id}`,
  namespace: 'functions',
  name: 'exec',
  input: `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }))`,
})

/** The items of an answer: hidden reasoning, and a command or the text that ends the turn. */
const itemsOf = (input: Json[]): Json[] => {
  const promptIndex = input.findLastIndex(each =>
    /Turn \d+: print/.test(JSON.stringify(each.content ?? '')),
  )
  const [, turn] = /Turn (\d+): print/.exec(JSON.stringify(input[promptIndex]?.content ?? '')) ?? []
  const done = input
    .slice(promptIndex)
    .filter(each => each.type === 'custom_tool_call_output').length
  const id = `${turn}_${done}`
  const reasoning = { id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: encrypted }
  if (done < codexCommands) return [reasoning, runCommand(id, `echo line-${id}`)]
  const content = [{ type: 'output_text', text: codexDone(Number(turn)), annotations: [] }]
  const message = { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed' }
  return [reasoning, { ...message, content }]
}

/** The client ran the commands of all turns, and sent what they printed. */
export const ranCommands = (body: Buffer | undefined, turns: number): boolean => {
  const { input }: { input: Json[] } = JSON.parse(String(body ?? '{"input":[]}'))
  const outputs = input.filter(each => each.type === 'custom_tool_call_output')
  const text = JSON.stringify(outputs)
  return (
    outputs.length === turns * codexCommands &&
    Array.from({ length: turns }, (_, at) => `line-${at + 1}_0`).every(each => text.includes(each))
  )
}

/** A model of OpenAI that runs two commands in each turn, reasons without telling, and writes its own bill. */
export const playCodex = (billed: Billed[], { thinksMs, reasoning }: CodexPlay) => {
  let before = 0
  return async (turn: Turn): Promise<void> => {
    const { served, response } = turn
    const body: Json = JSON.parse(String(served.body))
    const items = itemsOf(body.input)
    const all = Math.ceil(served.body.length / 4)
    const cached = Math.min(all, before)
    before = all
    const shown = Math.ceil(JSON.stringify(items.slice(1)).length / 4)
    const output = shown + reasoning
    const counted = { input: all - cached, cached, fiveMinutes: 0, hour: 0, output }
    billed.push(bill(served.model, counted))
    const usage = {
      input_tokens: all,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: all + output,
    }
    const id = `resp_${served.n}`
    const write = (event: { type: string } & Record<string, unknown>) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    write({ type: 'response.created', response: { id, object: 'response', output: [] } })
    await pause(turn, thinksMs)
    for (const [output_index, item] of items.entries()) {
      write({ type: 'response.output_item.added', output_index, item })
      write({ type: 'response.output_item.done', output_index, item })
    }
    const whole = { id, object: 'response', status: 'completed', output: items, usage }
    write({ type: 'response.completed', response: whole })
    response.end()
    served.complete = true
  }
}

export type CodexPlay = {
  thinksMs: number
  /** Tokens of reasoning in each answer. */
  reasoning: number
}
