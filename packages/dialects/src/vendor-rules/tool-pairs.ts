import type { ChatRequest, Message, Part, ToolCallPart, ToolResultPart } from '../canon.ts'

type PairedRequest = { request: ChatRequest; repairs: readonly string[] }

/**
 * Puts the results of all calls of a turn right behind it, one for each call, because vendors refuse any other history.
 * A call without a result gets one that says so; a result without a call becomes a text of the user.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use#handling-tool-use-and-tool-result-content-blocks
 */
export const pairToolResults = (request: ChatRequest): PairedRequest => {
  if (isPaired(request.messages)) return { request, repairs: [] }
  const repair = new Repair(request.messages)
  return { request: { ...request, messages: repair.run() }, repairs: [...repair.repairs] }
}

const isCall = (part: Part): part is ToolCallPart => part.type === 'tool-call'
const isResult = (part: Part): part is ToolResultPart => part.type === 'tool-result'

const isPaired = (messages: readonly Message[]): boolean => {
  const open = new Set<string>()
  for (const { role, parts } of messages) {
    if (role === 'assistant') {
      if (open.size > 0) return false
      for (const part of parts) if (isCall(part)) open.add(part.id)
    } else {
      for (const part of parts) if (isResult(part) && !open.delete(part.id)) return false
      if (open.size > 0 && !parts.every(isResult)) return false
    }
  }
  return open.size === 0
}

class Repair {
  readonly repairs = new Set<string>()
  private readonly messages: readonly Message[]
  private readonly results: ToolResultPart[]
  private readonly placed = new Set<Part>()
  private readonly repaired: Message[] = []

  constructor(messages: readonly Message[]) {
    this.messages = messages
    this.results = messages.flatMap(({ parts }) => parts.filter(isResult))
  }

  run(): Message[] {
    for (const message of this.messages) {
      if (message.role !== 'assistant') {
        this.addWithoutResults(message)
        continue
      }
      this.repaired.push(message)
      const parts = message.parts.filter(isCall).map(each => this.resultOf(each))
      if (parts.length > 0) this.repaired.push({ role: 'tool', parts })
    }
    return this.repaired
  }

  private resultOf({ id, name, custom }: ToolCallPart): ToolResultPart {
    const found = this.results.find(each => each.id === id && !this.placed.has(each))
    if (found) {
      this.placed.add(found)
      return found
    }
    this.repairs.add('tool call without a result')
    const text = 'The call was not finished, and there is no result.'
    const missing = { type: 'tool-result', id, name, parts: [{ type: 'text', text }] } as const
    return { ...missing, parts: [...missing.parts], ...(custom && { custom }) }
  }

  private addWithoutResults(message: Message): void {
    const parts = message.parts.flatMap(part =>
      isResult(part) ? (this.placed.has(part) ? [] : this.orphanAsText(part)) : [part],
    )
    if (parts.length === 0 && message.parts.length > 0) return
    this.repaired.push({ ...message, role: message.role === 'tool' ? 'user' : message.role, parts })
  }

  private orphanAsText({ name, id, parts }: ToolResultPart): Part[] {
    this.repairs.add('tool result without a call')
    return [{ type: 'text', text: `Result of the tool ${name ?? id}:` }, ...parts]
  }
}
