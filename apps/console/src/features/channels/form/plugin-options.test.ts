import { expect, it } from 'vitest'
import { pluginFormsOf } from './plugin-options.ts'

it('choices have the translated names, and their own where there are none', () => {
  const option = { type: 'string', enum: ['keep', 'drop'], default: 'keep' }
  const schema = { properties: { line: { properties: { text: option } } } }
  const translate = (key: string) =>
    key === 'line.options.text.choices.keep' ? 'Always keep' : undefined
  expect(pluginFormsOf(schema, translate)[0]?.options).toMatchObject([
    {
      choices: [
        { value: 'keep', label: 'Always keep' },
        { value: 'drop', label: 'drop' },
      ],
      initial: 'keep',
    },
  ])
})
