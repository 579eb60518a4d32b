import { expect, it } from 'vitest'
import type { CallerDialectId } from '../dialect-id.ts'
import { readFieldRanges } from '../json/field-ranges.ts'
import { type SystemPromptPosition, systemPromptEdits } from './edits.ts'

const editsOf = (dialect: CallerDialectId, request: object, position: SystemPromptPosition) => {
  const body = Buffer.from(JSON.stringify(request))
  const read = readFieldRanges(body, 0, body.length, [])
  if (!read.ok) throw new TypeError(read.reason)
  return systemPromptEdits(
    dialect,
    { body, fieldRanges: read.fieldRanges },
    { text: 'P', position },
  )
}

const user = { role: 'user', content: 'hi' }
const system = (content: unknown, role = 'system') => ({ role, content })
const line = 'x-anthropic-billing-header: cc_version=1;'
const block = (text: string, more = {}) => ({ type: 'text', text, ...more })
const cached = block('S', { cache_control: { type: 'ephemeral' } })

type Case = readonly [
  dialect: CallerDialectId,
  request: object,
  before: object,
  after: object,
  replace: object,
  missing: object,
]
const alone = (edits: object) => [edits, edits, edits, edits] as const
const cases: readonly Case[] = [
  ['openai-chat', { messages: [user] }, ...alone({ messages: [system('P'), user] })],
  [
    'openai-chat',
    { messages: [system('S'), user] },
    { messages: [system('P\n\nS'), user] },
    { messages: [system('S\n\nP'), user] },
    { messages: [system('P'), user] },
    {},
  ],
  [
    'openai-chat',
    { messages: [system([cached], 'developer'), user] },
    { messages: [system([block('P'), cached], 'developer'), user] },
    { messages: [system([cached, block('P')], 'developer'), user] },
    { messages: [system('P', 'developer'), user] },
    {},
  ],
  [
    'openai-chat',
    { messages: [system('S'), system('T'), user, system('U')] },
    { messages: [system('P\n\nS'), system('T'), user, system('U')] },
    { messages: [system('S'), system('T\n\nP'), user, system('U')] },
    { messages: [system('P'), user] },
    {},
  ],
  ['openai-responses', { input: 'hi' }, ...alone({ instructions: 'P' })],
  ['openai-responses', { input: 'hi', instructions: null }, ...alone({ instructions: 'P' })],
  [
    'openai-responses',
    { input: 'hi', instructions: 'S' },
    { instructions: 'P\n\nS' },
    { instructions: 'S\n\nP' },
    { instructions: 'P' },
    {},
  ],
  [
    'openai-responses',
    { input: [system('S', 'developer'), user] },
    { instructions: 'P' },
    { instructions: 'P' },
    { instructions: 'P', input: [user] },
    {},
  ],
  ['anthropic', { messages: [user] }, ...alone({ system: 'P' })],
  ['anthropic', { messages: [user], system: [] }, ...alone({ system: 'P' })],
  [
    'anthropic',
    { messages: [user], system: 'S' },
    { system: 'P\n\nS' },
    { system: 'S\n\nP' },
    { system: 'P' },
    {},
  ],
  [
    'anthropic',
    { messages: [user], system: [cached] },
    { system: [block('P'), cached] },
    { system: [cached, block('P')] },
    { system: 'P' },
    {},
  ],
  [
    'anthropic',
    { messages: [user], system: [block(line), cached] },
    { system: [block(line), block('P'), cached] },
    { system: [block(line), cached, block('P')] },
    { system: [block(line), block('P')] },
    {},
  ],
  [
    'anthropic',
    { messages: [user], system: `${line}\nS` },
    { system: `${line}\nP\n\nS` },
    { system: `${line}\nS\n\nP` },
    { system: `${line}\nP` },
    {},
  ],
  ['anthropic', { messages: [user], system: line }, ...alone({ system: `${line}\nP` })],
  ['gemini', { contents: [] }, ...alone({ systemInstruction: { parts: [{ text: 'P' }] } })],
  [
    'gemini',
    { contents: [], system_instruction: { role: 'user', parts: { text: 'S' } } },
    { system_instruction: { role: 'user', parts: [{ text: 'P' }, { text: 'S' }] } },
    { system_instruction: { role: 'user', parts: [{ text: 'S' }, { text: 'P' }] } },
    { system_instruction: { role: 'user', parts: [{ text: 'P' }] } },
    {},
  ],
  [
    'gemini',
    { contents: [], systemInstruction: 'S' },
    { systemInstruction: { parts: [{ text: 'P' }, { text: 'S' }] } },
    { systemInstruction: { parts: [{ text: 'S' }, { text: 'P' }] } },
    { systemInstruction: { parts: [{ text: 'P' }] } },
    {},
  ],
]

it.each(cases)('%s: a prompt has each position in %j', (dialect, request, ...expected) => {
  const positions = ['before', 'after', 'replace', 'missing'] as const
  const made = positions.map(position => editsOf(dialect, request, position))
  expect(made).toEqual(expected)
})
