/** A question of a caller, before it is written in a dialect. */
export type Question = {
  system?: string
  turns: readonly QuestionTurn[]
  tools?: readonly string[]
  choice?: 'required' | 'named' | 'none'
  parallel?: false
  thinking?: 'on' | 'off' | 'none' | 'lowest' | 'highest' | number
  temperature?: number
  topP?: number
  n?: number
  stops?: number
  user?: string
  format?: 'json' | 'schema'
  /** The number of text blocks with a cache mark. */
  marks?: number
}

export type QuestionTurn = {
  role: 'user' | 'model' | 'result' | 'instruction'
  text?: string
  /** The id of a tool call, or of its result. */
  call?: string
  thought?: string
  media?: 'image' | 'pdf'
}

const hi: QuestionTurn = { role: 'user', text: 'Hi' }
const searching: QuestionTurn = { role: 'user', text: 'Look it up.' }
const called: QuestionTurn = { role: 'model', call: 'call_1' }
const found: QuestionTurn = { role: 'result', call: 'call_1', text: 'found' }
const tools = ['look']
const longId = `toolu_${'0123456789'.repeat(7)}`

/** The kinds of questions. */
export const questions = {
  'plain words': { turns: [hi] },
  'instructions only': { system: 'Say hi.', turns: [] },
  'instructions and words': { system: 'Be brief.', turns: [hi] },
  'later instructions': {
    system: 'Be brief.',
    turns: [hi, { role: 'instruction', text: 'You are in /work.' }],
  },
  'thinking on': { turns: [hi], thinking: 'on' },
  'thinking off': { turns: [hi], thinking: 'off' },
  'effort none': { turns: [hi], thinking: 'none' },
  'the lowest effort': { turns: [hi], thinking: 'lowest' },
  'the highest effort': { turns: [hi], thinking: 'highest' },
  'a thinking budget': { turns: [hi], thinking: 2_000 },
  'tools to choose from': { turns: [searching], tools },
  'a forced tool': { turns: [searching], tools, choice: 'required' },
  'a named tool': { turns: [searching], tools, choice: 'named' },
  'a forced tool with thinking off': {
    turns: [searching],
    tools,
    choice: 'required',
    thinking: 'off',
  },
  'tools without parallel calls': { turns: [searching], tools, parallel: false },
  'a tool call and its result': { turns: [searching, called, found], tools },
  'a call with its thoughts': {
    turns: [searching, { ...called, thought: 'I need it.' }, found],
    tools,
    thinking: 'on',
  },
  'words after a tool result': {
    turns: [searching, called, found, { role: 'user', text: 'And?' }],
    tools,
  },
  'long ids and names': {
    turns: [
      searching,
      { role: 'model', call: longId },
      { role: 'result', call: longId, text: 'x' },
    ],
    tools: [`mcp__server__${'x'.repeat(90)}`],
    user: 'u'.repeat(300),
  },
  'words of the model at the end': { turns: [hi, { role: 'model', text: 'Well' }] },
  'an empty message of the model': { turns: [hi, { role: 'model', text: '' }, hi] },
  'an empty message of the user': {
    turns: [hi, { role: 'model', text: 'Yes?' }, { role: 'user', text: '' }, hi],
  },
  'temperature and top_p': { turns: [hi], temperature: 0.7, topP: 0.9 },
  'many stop sequences': { turns: [hi], stops: 7 },
  'six cache marks': { turns: [hi], marks: 6 },
  'an image': { turns: [{ role: 'user', text: 'What is it?', media: 'image' }] },
  'a PDF': { turns: [{ role: 'user', text: 'Read it.', media: 'pdf' }] },
  'an answer by a schema': { turns: [hi], format: 'schema' },
} as const satisfies Readonly<Record<string, Question>>

export type QuestionKind = keyof typeof questions
