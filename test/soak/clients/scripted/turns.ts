import type { Call } from './answer.ts'
import type { Conversation, Json, Message, Tool } from './conversation.ts'

/** What the model does in a step of a turn, before it is written as a call of one of the client's tools. */
export type Action =
  | { does: 'write'; file: string; text: string }
  | { does: 'edit'; file: string; from: string; to: string }
  | { does: 'read'; file: string }
  | { does: 'shell'; command: string }

export type ScriptedTurn = {
  steps: readonly (readonly Action[])[]
  /** The user shows an image, or stops the answer in its middle. */
  isImage?: true
  isStopped?: true
}

const write = (file: string, text: string): Action => ({ does: 'write', file, text })
const edit = (file: string, from: string, to: string): Action => ({ does: 'edit', file, from, to })
const read = (file: string): Action => ({ does: 'read', file })
const shell = (command: string): Action => ({ does: 'shell', command })

/** Ten turns with edits of files, parallel calls, an image, a stop, and calls after the stop. */
export const scriptedTurns: readonly ScriptedTurn[] = [
  { steps: [[write('note.txt', 'one apple\n')]] },
  { steps: [[read('note.txt')], [edit('note.txt', 'one', 'two')]] },
  { steps: [[shell('echo first'), shell('echo second'), read('note.txt')]] },
  { steps: [], isImage: true },
  { steps: [], isStopped: true },
  { steps: [[shell('echo again')]] },
  { steps: [[write('list.txt', 'milk\n'), write('names.txt', 'Ada\n')]] },
  {
    // Clients that start anew want a file read before its edit.
    steps: [
      [read('list.txt'), read('names.txt')],
      [edit('list.txt', 'milk', 'bread')],
      [edit('names.txt', 'Ada', 'Grace')],
    ],
  },
  { steps: [[shell('cat list.txt')], [shell('cat names.txt'), shell('cat note.txt')]] },
  { steps: [] },
]

/** The files of the client's folder after the last turn. */
export const filesAtEnd = {
  'note.txt': 'two apple\n',
  'list.txt': 'bread\n',
  'names.txt': 'Grace\n',
} as const

const firstLines: Record<string, string> = {
  'note.txt': 'one apple',
  'list.txt': 'milk',
  'names.txt': 'Ada',
}

export const ask = (turn: number) => `Turn ${turn}: do as we said.`
export const done = (turn: number) => `Turn ${turn} is done.`

const named = (tools: readonly Tool[], ...names: string[]): Tool | undefined =>
  names
    .map(name => tools.find(each => each.name.split(/__|\./).at(-1) === name))
    .find(each => each !== undefined)

/** The first of these fields that the tool has. */
const put = ({ fields }: Tool, names: readonly string[], value: Json): Json => {
  const name = names.find(each => each in fields)
  return name ? { [name]: value } : {}
}

/** Fields without which the client refuses a call. */
const rest = ({ fields, required }: Tool, args: Json): Json =>
  Object.fromEntries(
    required
      .filter(each => !(each in args))
      .map(each => [each, fields[each]?.type === 'boolean' ? false : 'as we said']),
  )

const call = (tool: Tool, ...values: [names: readonly string[], value: Json][]) => {
  const args = Object.assign({}, ...values.map(([names, value]) => put(tool, names, value)))
  return { name: tool.name, kind: tool.kind, args: { ...args, ...rest(tool, args) } }
}

const fileFields = ['file_path', 'filePath', 'path', 'absolute_path']

type Made = Omit<Call, 'id'>

const shellCall = (tools: readonly Tool[], command: string): Made => {
  const code = named(tools, 'exec')
  if (code) {
    const input = `text(await tools.exec_command({ cmd: ${JSON.stringify(command)} }))`
    return { name: code.name, kind: code.kind, args: code.kind === 'custom' ? input : { input } }
  }
  const tool = named(
    tools,
    ...['Bash', 'run_shell_command', 'bash', 'exec_command', 'shell_command', 'shell'],
  )
  if (!tool) throw new Error(`no shell among ${tools.map(each => each.name).join(', ')}`)
  const isList = tool.fields.command?.type === 'array'
  return call(tool, [['command', 'cmd'], isList ? ['sh', '-c', command] : command])
}

const patch = ({ file, from, to, line }: Record<'file' | 'from' | 'to' | 'line', string>) =>
  `*** Begin Patch\n*** Update File: ${file}\n@@\n-${line}\n+${line.replace(from, to)}\n*** End Patch\n`

const callOf = (tools: readonly Tool[], action: Action, folder: string): Made => {
  if (action.does === 'shell') return shellCall(tools, action.command)
  const path = `${folder}/${action.file}`
  if (action.does === 'read') {
    const tool = named(tools, 'Read', 'read_file', 'read', 'view')
    return tool ? call(tool, [fileFields, path]) : shellCall(tools, `cat ${path}`)
  }
  if (action.does === 'write') {
    const tool = named(tools, 'Write', 'write_file', 'write')
    return tool
      ? call(tool, [fileFields, path], [['content'], action.text])
      : shellCall(tools, `printf '%s' '${action.text}' > ${path}`)
  }
  const { from, to, file } = action
  const patcher = named(tools, 'apply_patch')
  if (patcher) {
    const line = firstLines[file] ?? ''
    const input = patch({ file, from, to, line })
    return patcher.kind === 'custom'
      ? { name: patcher.name, kind: patcher.kind, args: input }
      : call(patcher, [['input', 'patchText'], input])
  }
  const tool = named(tools, 'Edit', 'replace', 'edit')
  return tool
    ? call(
        tool,
        [fileFields, path],
        [['old_string', 'oldString'], from],
        [['new_string', 'newString'], to],
      )
    : shellCall(tools, `sed -i s/${from}/${to}/ ${path}`)
}

export type Position = { turn: number; step: number; prompt: Message }

/** Where the conversation stands: the last prompt of the user, and how many calls were made since. */
export const positionOf = ({ messages }: Conversation): Position | undefined => {
  const at = messages.findLastIndex(({ role, text }) => role === 'user' && /Turn \d+:/.test(text))
  const prompt = messages[at]
  if (!prompt) return undefined
  const [, turn] = [...prompt.text.matchAll(/Turn (\d+):/g)].at(-1) ?? []
  const made = messages
    .slice(at)
    .filter(each => each.role === 'model')
    .reduce((count, each) => count + each.calls.length, 0)
  const { steps } = scriptedTurns[Number(turn) - 1]!
  let before = 0
  let step = 0
  while (step < steps.length && before < made) before += steps[step++]!.length
  return { turn: Number(turn), step, prompt }
}

export const callsAt = (
  { turn, step }: Position,
  { tools }: Conversation,
  { folder, n }: { folder: string; n: number },
): Call[] =>
  (scriptedTurns[turn - 1]?.steps[step] ?? []).map((action, at) => ({
    // Nine letters and digits, as Mistral wants them.
    id: `c${String(n * 10 + at).padStart(8, '0')}`,
    ...callOf(tools, action, folder),
  }))

/** The edits of a turn in the words of a model: https://aider.chat/docs/more/edit-formats.html#diff */
export const editsIn = (turn: number): string =>
  (scriptedTurns[turn - 1]?.steps ?? [])
    .flat()
    .map(action => {
      if (action.does === 'write') return block(action.file, '', action.text)
      if (action.does !== 'edit') return ''
      const line = firstLines[action.file] ?? ''
      return block(action.file, line, line.replace(action.from, action.to))
    })
    .join('')

const block = (file: string, before: string, after: string): string => {
  const lines = (text: string) => (text === '' ? '' : `${text.trimEnd()}\n`)
  const change = `<<<<<<< SEARCH\n${lines(before)}=======\n${lines(after)}>>>>>>> REPLACE`
  return `${file}\n\`\`\`\n${change}\n\`\`\`\n\n`
}
