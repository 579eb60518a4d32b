import { expect, it } from 'vitest'
import { typeNameOf, warningCollector } from './warnings.ts'

it('what another dialect calls its own is noted by name, once', () => {
  const { list: warnings, warnForeignFields: dropForeign } = warningCollector('anthropic')
  dropForeign({ dialect: 'openai-responses', fields: { top_k: 5, cache_control: {} } })
  dropForeign({ dialect: 'openai-responses', fields: { top_k: 6 } })
  expect(warnings.map(each => each.dropped)).toEqual(['top_k', 'cache_control'])
})

it('what canon carries beside the fields is not lost, nor is what an answer repeats', () => {
  const { list: warnings, warnForeignFields: dropForeign } = warningCollector('anthropic')
  dropForeign({ dialect: 'openai-chat', fields: { top_k: 5, cache_control: {}, thinking: {} } })
  dropForeign({ dialect: 'openai-responses', fields: { temperature: 1, top_p: 1, item: {} } })
  dropForeign({ dialect: 'anthropic', fields: { context_management: {} } })
  expect(warnings).toEqual([])
})

it('a block without a type is called by its one field', () => {
  expect([
    typeNameOf({ type: 'a', b: 1 }),
    typeNameOf({ googleSearch: {} }),
    typeNameOf(undefined),
  ]).toEqual(['a', 'googleSearch', 'opaque'])
})
