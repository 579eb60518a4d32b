import type { Served, Turn } from '../../upstream/turn.ts'

/** Commands that the fake model runs before it answers. */
export const shellCalls = 3
export const finalText = 'The shell printed three lines.'
export const usage = { input_tokens: 7, output_tokens: 3, total_tokens: 10 }

type Item = { type?: string }
type Tool = { type: string; name?: string }

/** The arguments of the shell tool that the client offers. */
const shellCall = (tools: readonly Tool[], command: string) => {
  const offered = new Set(tools.map(each => each.name))
  if (offered.has('exec_command')) return { name: 'exec_command', value: { cmd: command } }
  if (offered.has('shell_command')) return { name: 'shell_command', value: { command } }
  if (offered.has('shell')) return { name: 'shell', value: { command: ['sh', '-c', command] } }
  const described = { command, description: 'Prints a line.' }
  for (const name of ['Bash', 'run_shell_command'])
    if (offered.has(name)) return { name, value: described }
  throw new Error(`The client offers no shell tool: ${[...offered].join(', ')}`)
}

const itemOf = (body: { input: Item[]; tools?: Tool[] }, callsShell: boolean) => {
  const done = body.input.filter(each => each.type === 'function_call_output').length
  if (!callsShell || done === shellCalls) {
    const content = [{ type: 'output_text', text: finalText, annotations: [] }]
    return { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  }
  const { name, value } = shellCall(body.tools ?? [], `echo line-${done}`)
  const call = { name, call_id: `call_${done}`, arguments: JSON.stringify(value) }
  return { type: 'function_call', id: `fc_${done}`, status: 'completed', ...call }
}

/** Answers as the model that runs commands in a shell, until it has the output of all of them. */
export const answerAsModel =
  (callsShell: boolean) =>
  ({ served, response }: Turn): void => {
    const item = itemOf(JSON.parse(String(served.body)), callsShell)
    const id = `resp_${served.n}`
    const events = [
      { type: 'response.created', response: { id, object: 'response', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      {
        type: 'response.completed',
        response: { id, object: 'response', status: 'completed', output: [item], usage },
      },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      events.map(each => `event: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
    )
    served.complete = true
  }

/** The client ran all commands and sent what they printed. */
export const hasShellOutput = (served: Served | undefined): boolean => {
  const { input } = JSON.parse(String(served?.body ?? '{"input":[]}')) as { input: Item[] }
  const outputs = input.filter(each => each.type === 'function_call_output')
  return (
    outputs.length === shellCalls &&
    outputs.every((each, at) => JSON.stringify(each).includes(`line-${at}`))
  )
}
