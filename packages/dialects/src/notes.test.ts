import { expect, it } from 'vitest'
import { kindOf, noting } from './notes.ts'

it('what another dialect calls its own is noted by name, once', () => {
  const { notes, dropForeign } = noting('anthropic')
  dropForeign({ dialect: 'openai-responses', fields: { top_k: 5, cache_control: {} } })
  dropForeign({ dialect: 'openai-responses', fields: { top_k: 6 } })
  expect(notes.map(each => each.dropped)).toEqual(['top_k', 'cache_control'])
})

it('what canon carries beside the fields is not lost, nor is what an answer repeats', () => {
  const { notes, dropForeign } = noting('anthropic')
  dropForeign({ dialect: 'openai-chat', fields: { top_k: 5, cache_control: {}, thinking: {} } })
  dropForeign({ dialect: 'openai-responses', fields: { temperature: 1, top_p: 1, item: {} } })
  dropForeign({ dialect: 'anthropic', fields: { context_management: {} } })
  expect(notes).toEqual([])
})

it('a block without a type is called by its one field', () => {
  expect([kindOf({ type: 'a', b: 1 }), kindOf({ googleSearch: {} }), kindOf(undefined)]).toEqual([
    'a',
    'googleSearch',
    'opaque',
  ])
})
