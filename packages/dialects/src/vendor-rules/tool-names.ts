import { createHash } from 'node:crypto'
import type {
  ChatAnswer,
  ChatEvent,
  ChatRequest,
  Message,
  Part,
  Tool,
  ToolChoice,
} from '../canon.ts'

/** The caller's names of renamed tools, by the names that the vendor knows. */
export type ToolNames = ReadonlyMap<string, string>

/** Renames each tool whose name the vendor refuses. The names are undefined where none was refused. */
export const renameTools = (
  request: ChatRequest,
  accepted: RegExp,
): { request: ChatRequest; names: ToolNames | undefined } => {
  const names = new Map<string, string>()
  const sentName = (name: string): string => {
    if (accepted.test(name) || name === '') return name
    const sent = shortName(name)
    names.set(sent, name)
    return sent
  }
  const { tools, toolChoice, messages } = request
  const renamed: ChatRequest = {
    ...request,
    messages: messages.map(each => rename(each, sentName)),
  }
  if (tools) renamed.tools = tools.map(each => renameTool(each, sentName))
  if (toolChoice) renamed.toolChoice = renameChoice(toolChoice, sentName)
  return names.size > 0 ? { request: renamed, names } : { request, names: undefined }
}

/** A name that every vendor accepts. The hash keeps names apart that differ only in what was cut or replaced. */
const shortName = (name: string): string => {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
  // Gemini's names begin with a letter or an underscore.
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^[^a-zA-Z_]/, '_')
  return `${readable.slice(0, 53)}_${hash}`
}

type Rename = (name: string) => string

const rename = (message: Message, sentName: Rename): Message =>
  message.parts.some(isNamed)
    ? { ...message, parts: message.parts.map(each => renamePart(each, sentName)) }
    : message

const isNamed = ({ type }: Part): boolean => type === 'tool-call' || type === 'tool-result'

const renamePart = (part: Part, sentName: Rename): Part =>
  (part.type === 'tool-call' || part.type === 'tool-result') && part.name !== undefined
    ? { ...part, name: sentName(part.name) }
    : part

const renameTool = (tool: Tool, sentName: Rename): Tool =>
  tool.type === 'opaque' ? tool : { ...tool, name: sentName(tool.name) }

const renameChoice = (choice: ToolChoice, sentName: Rename): ToolChoice => {
  if (choice.type === 'tool') return { ...choice, name: sentName(choice.name) }
  return choice.type === 'allowed' ? { ...choice, names: choice.names.map(sentName) } : choice
}

/** The event with the caller's own name of the called tool. */
export const restoreToolName = (event: ChatEvent, names: ToolNames): ChatEvent =>
  event.type === 'part' ? { ...event, part: renamePart(event.part, originalIn(names)) } : event

/** The answer with the caller's own names of the called tools. */
export const restoreToolNames = (answer: ChatAnswer, names: ToolNames): ChatAnswer => {
  const choices = answer.choices.map(choice => ({
    ...choice,
    parts: choice.parts.map(each => renamePart(each, originalIn(names))),
  }))
  return { ...answer, choices }
}

const originalIn =
  (names: ToolNames): Rename =>
  name =>
    names.get(name) ?? name
