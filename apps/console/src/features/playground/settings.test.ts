import { expect, it } from 'vitest'
import { noSettings, readSettings, readTools } from './settings.ts'

it('sends only what is set', () => {
  expect(readSettings(noSettings)).toEqual({ parameters: {}, tools: [], errors: {} })
  const set = { ...noSettings, temperature: ' 0 ', topP: '1', maxTokens: '50', effort: 'low' }
  expect(readSettings(set).parameters).toEqual({
    ...{ temperature: 0, topP: 1, maxTokens: 50, effort: 'low' },
  })
})

it('refuses a value out of range at its field, by the range of the dialect', () => {
  const set = { ...noSettings, temperature: '1.5', topP: 'x', maxTokens: '1.5' }
  expect(readSettings(set)).toMatchObject({
    parameters: {},
    errors: {
      topP: { key: 'playground.range', values: { min: 0, max: 1 } },
      maxTokens: { key: 'playground.wholeRange' },
    },
  })
  expect(readSettings(set).errors.temperature).toBeUndefined()
  expect(readSettings({ ...set, dialect: 'anthropic' }).errors.temperature).toMatchObject({
    values: { max: 1 },
  })
})

it('reads tools as OpenAI and Anthropic write them', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const whole = { name: 'find', description: 'Finds.', parameters: schema }
  const nested = { type: 'function', function: whole }
  const anthropic = { name: 'find_it', input_schema: schema }
  expect(readTools(JSON.stringify([nested, anthropic, { name: 'now' }]))).toEqual([
    whole,
    { name: 'find_it', parameters: schema },
    { name: 'now', parameters: { type: 'object', properties: {} } },
  ])
})

it.each([
  ['[{', 'playground.toolsJson'],
  ['{}', 'playground.toolsList'],
  ['[1]', 'playground.toolName'],
  ['[{"name":"no spaces"}]', 'playground.toolName'],
  ['[{"name":"a","description":1}]', 'playground.toolDescription'],
  ['[{"name":"a","parameters":[]}]', 'playground.toolParameters'],
  ['[{"name":"a"},{"name":"a"}]', 'playground.toolsTwice'],
])('refuses the tools %s', (text, key) => {
  expect(readTools(text)).toMatchObject({ key })
})
