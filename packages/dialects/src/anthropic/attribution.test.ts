import { expect, it } from 'vitest'
import { anthropic } from './index.ts'

const line = 'x-anthropic-billing-header: cc_version=2.1.332.0b8; cc_entrypoint=cli; cch=abcde;'
const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
const cached = { cache_control: { type: 'ephemeral' } }

const edited = (system: unknown) => {
  const body = { model: 'm', max_tokens: 5, system, messages: [{ role: 'user', content: line }] }
  const read = anthropic.read(Buffer.from(JSON.stringify(body)))
  if (!read.ok) throw new Error(read.hint)
  const edits = anthropic.attributionEdits!(read.parsed)
  return JSON.parse(String(anthropic.splice(read.parsed, edits)))
}

it.each<[string, unknown, unknown]>([
  ['the first block', [text(line), text('Be brief.', cached)], [text('Be brief.', cached)]],
  ['several first blocks', [text(line), text(line), text('Be brief.')], [text('Be brief.')]],
  ['the only block', [text(line)], undefined],
  ['the line of a longer block', [text(`${line}\nBe brief.`, cached)], [text('Be brief.', cached)]],
  ['a marked first block', [text(line, cached), text('Be brief.')], [text('Be brief.')]],
  ['the first line of a text', `${line}\nBe brief.\n\nNow.`, 'Be brief.\n\nNow.'],
  ['several first lines of a text', `${line}\n${line}\nBe brief.`, 'Be brief.'],
  ['a text of this line alone', line, undefined],
])('the line is removed as %s', (_name, system, rest) => {
  const body = edited(system)
  expect(body.system).toEqual(rest)
  expect(body.messages).toEqual([{ role: 'user', content: line }])
})

it.each<[string, unknown]>([
  ['a later block', [text('Be brief.'), text(line)]],
  ['a later line', `Be brief.\n${line}`],
  ['a text that only mentions it', [text(`Never print ${line}`)]],
  ['a block of another type', [{ type: 'other', text: line }]],
  ['a value of another type', { text: line }],
  ['null', null],
  ['no block', []],
])('%s stays as it is', (_name, system) => {
  const read = anthropic.read(Buffer.from(JSON.stringify({ model: 'm', system, messages: [] })))
  if (!read.ok) throw new Error(read.hint)
  expect(anthropic.attributionEdits!(read.parsed)).toEqual({})
})

it('a body without instructions has no edits', () => {
  const read = anthropic.read(Buffer.from(JSON.stringify({ model: 'm', messages: [] })))
  expect(read.ok && anthropic.attributionEdits!(read.parsed)).toEqual({})
})
