import { expect, it } from 'vitest'
import type { ChatRequest, Part, Tool, ToolChoice } from '../canon.ts'
import { renameTools, restoreToolName, restoreToolNames } from './tool-names.ts'

const accepted = /^[a-zA-Z0-9_-]{1,64}$/
const refused = '2nd tool'
const call = (name: string): Part => ({ type: 'tool-call', id: 'a', name, input: '{}' })
const result = (name: string): Part => ({ type: 'tool-result', id: 'a', name, parts: [] })
const tool = (name: string): Tool => ({ type: 'function', name })

const requestWith = (name: string, toolChoice: ToolChoice): ChatRequest => ({
  ...{ model: 'm', toolChoice, tools: [tool(name), tool('look')] },
  messages: [
    { role: 'user', parts: [{ type: 'text', text: refused }] },
    { role: 'assistant', parts: [call(name), call('look')] },
    { role: 'user', parts: [result(name), result('look')] },
  ],
})

it.each<[string, (name: string) => ToolChoice]>([
  ['one tool', name => ({ type: 'tool', name })],
  ['some tools', name => ({ type: 'allowed', mode: 'auto', names: [name, 'look'] })],
  ['any tool', () => ({ type: 'required' })],
])('a refused name is another one everywhere, with a choice of %s', (_, choiceOf) => {
  const { request, names } = renameTools(requestWith(refused, choiceOf(refused)), accepted)
  const [sent = ''] = names?.keys() ?? []
  expect(sent).toMatch(/^_nd_tool_[0-9a-f]{10}$/)
  expect(request).toEqual(requestWith(sent, choiceOf(sent)))

  const parts = [call(sent), call('look')]
  const answer = { ...{ id: 'a', model: 'm' }, choices: [{ parts }] }
  expect(restoreToolNames(answer, names!).choices[0]?.parts).toEqual([call(refused), call('look')])
  const event = { type: 'part' as const, index: 0, part: call(sent) }
  expect(restoreToolName(event, names!)).toEqual({ ...event, part: call(refused) })
})

it('names that the vendor takes stay as they are', () => {
  const request = requestWith('weather', { type: 'tool', name: 'weather' })
  expect(renameTools(request, accepted)).toEqual({ request, names: undefined })
})
