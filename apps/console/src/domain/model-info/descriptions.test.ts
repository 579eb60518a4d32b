import { expect, it } from 'vitest'
import { describeModel, parseList } from './descriptions.ts'
import { sortTags } from './info-chip.tsx'
import { sortModalities } from './modalities.tsx'

it('a list is the text of a JSON array; a bare text is its only entry', () => {
  expect(parseList('["text","image"]')).toEqual(['text', 'image'])
  expect(parseList('https://vendor.example/a,b')).toEqual(['https://vendor.example/a,b'])
  expect([parseList(''), parseList('[]')]).toEqual([[], []])
})

it('only web addresses become links', () => {
  const { links } = describeModel({
    ...{ id: 1, model: 'm', name: 'M', description: '', context_length: 0, max_tokens: 0 },
    ...{ input_modalities: '[]', output_modalities: '[]', tags: '[]' },
    ...{ created_at: 0, updated_at: 0 },
    support_url: '["https://vendor.example","javascript:alert(1)","data:text/html,x","/path"]',
  })
  expect(links).toEqual(['https://vendor.example'])
})

it('the known modalities and `Hot` come first, and nothing comes twice', () => {
  expect(sortModalities(['smell', 'video', 'text', 'video', 'constructor'])).toEqual([
    'text',
    'video',
    'constructor',
    'smell',
  ])
  expect(sortTags(['Code', 'Hot', 'Code', 'Art'])).toEqual(['Hot', 'Code', 'Art'])
})
