import { describe, expect, it } from 'vitest'
import { optionsForm, providerOf } from './index.ts'

type Form = { properties?: Record<string, Form> }

const voices = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer']

/** The plugin parameters of One Hub's channel form, by type and section. */
const oneHubOptions: readonly [type: number, section: string, keys: readonly string[]][] = [
  [8, 'customize', ['1', '2', '3', '4', '5', '6', '7', '9', '10', '11', '16']],
  [16, 'retrieval', ['knowledge_id', 'prompt_template']],
  [16, 'web_search', ['enable']],
  [16, 'web_browser', ['enable']],
  [16, 'drawing_tool', ['enable']],
  [16, 'code_interpreter', ['sandbox']],
  [17, 'web_search', ['enable']],
  [20, 'other', ['provider']],
  [24, 'voice', voices],
  [25, 'code_execution', ['enable']],
  [25, 'use_openai_api', ['enable']],
  [27, 'voice', voices],
]

describe('the plugin parameters of One Hub', () => {
  it.each(oneHubOptions)('type %d has a form for all of `%s`', (type, section, keys) => {
    const form = optionsForm(providerOf(type)!) as Form
    const shown = Object.keys(form.properties?.[section]?.properties ?? {})
    expect(keys.filter(key => !shown.includes(key))).toEqual([])
  })

  it('type 39 has its headers in the form of custom headers, which is encrypted', () => {
    expect(providerOf(39)?.headerSection).toBe('headers')
  })

  // There it chooses between the vendor's two APIs; here the OpenAI-compatible one is always used.
  it.each([15, 17])('type %d has no `use_openai_api`, which is refused', type => {
    const form = optionsForm(providerOf(type)!) as Form
    expect(form.properties ?? {}).not.toHaveProperty('use_openai_api')
  })
})
