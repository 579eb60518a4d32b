import type { Channel, Provider } from '@hub/contract'
import { NewChannel } from '@hub/contract'
import { expect, it } from 'vitest'
import { storedChannel } from '../../test/stored-channel.ts'
import { splitNames } from '../../ui/form/names.ts'
import {
  changesOf,
  defaultsForNewType,
  defaultValuesFor,
  formValuesOf,
  nonDefaultFields,
  normalizeValues,
} from './form/channel-values.ts'
import { addMappedModels, duplicateKeys, joinNames, readMap, writeMap } from './form/stored-text.ts'

const provider = (over: Partial<Provider> = {}): Provider => ({
  type: 1,
  id: 'openai',
  name: 'OpenAI',
  base_url: 'https://api.openai.com',
  address_presets: [],
  links: {},
  key_hint: '',
  operations: ['chat'],
  dialects: ['openai-chat'],
  models: ['gpt-4o', 'gpt-4o-mini'],
  test_model: 'gpt-4o-mini',
  can_list_models: true,
  can_tell_balance: false,
  free_field: '',
  options: {},
  ...over,
})

const stored = (over: Partial<Channel> = {}) =>
  storedChannel({ models: 'gpt-4o,gpt-4o-mini', ...over })

it('reads and writes lists as people paste them', () => {
  expect(splitNames(' a, b，c\nd;a ,, ')).toEqual(['a', 'b', 'c', 'd'])
  expect(joinNames(['a', 'b,c', ' a '])).toBe('a,b,c')
})

it('a map is the same text after reading and writing', () => {
  const text = '{"gpt-4":"gpt-4o","a":"+b"}'
  expect(writeMap(readMap(text)!)).toBe(text)
  expect(readMap('')).toEqual([])
  expect(writeMap([{ key: ' ', value: 'x' }])).toBe('')
})

it('rejects text that is not a map, and finds duplicate names', () => {
  for (const text of ['[]', '{"a":1}', '{"a":null}', 'a', '{'])
    expect(readMap(text)).toBeUndefined()
  expect(
    duplicateKeys([
      { key: 'a', value: '1' },
      { key: 'a ', value: '2' },
      { key: '', value: '' },
      { key: '', value: '' },
    ]),
  ).toEqual(['a'])
})

it('mapped names are added to the models unless a pattern covers them', () => {
  expect(addMappedModels('gpt-4o', '{"fast":"gpt-4o","gpt-4o":"x"}')).toBe('gpt-4o,fast')
  expect(addMappedModels('gpt-*', '{"gpt-5":"gpt-4o"}')).toBe('gpt-*')
})

it('a new channel starts with its provider’s defaults and is valid with a name and a key', () => {
  const values = {
    ...defaultValuesFor(provider()),
    name: 'main',
    key: ' sk-1 ',
    base_url: 'https://a.example/',
  }
  const sent = NewChannel.parse(normalizeValues(values))
  expect(sent).toMatchObject({
    key: 'sk-1',
    base_url: 'https://a.example',
    models: 'gpt-4o,gpt-4o-mini',
  })
})

it('a type change fills only fields that still have a default', () => {
  const claude = provider({
    type: 14,
    name: 'Anthropic',
    base_url: 'https://api.anthropic.com',
    models: ['claude'],
    test_model: 'claude',
  })
  const values = { ...defaultValuesFor(provider()), base_url: 'https://my.example' }
  expect(defaultsForNewType(values, provider(), claude)).toEqual({
    type: 14,
    name: 'Anthropic',
    other: '',
    plugin: {},
    models: 'claude',
    test_model: 'claude',
  })
})

it('an update contains only changed fields, and no key unless one was typed', () => {
  const before = formValuesOf(stored({ base_url: '' }), provider())
  expect(before.base_url).toBe('https://api.openai.com')
  expect(before.key).toBe('')
  expect(changesOf(before, before)).toEqual({})
  expect(changesOf(before, { ...before, weight: 5 })).toEqual({ weight: 5 })
  expect(changesOf(before, { ...before, key: ' sk-2\n' })).toEqual({ key: 'sk-2' })
})

it('a stored secret is unchanged while its field is empty, and null removes it', () => {
  const isSet = { proxy: true, model_headers: true, custom_parameter: false }
  const before = formValuesOf(stored({ is_set: isSet }), provider())
  expect(before).toMatchObject({ proxy: '', model_headers: '', custom_parameter: '' })
  expect(changesOf(before, before)).toEqual({})
  const edited = { ...before, proxy: null, model_headers: '{"a":"b"}' }
  expect(changesOf(before, edited)).toEqual({ proxy: null, model_headers: '{"a":"b"}' })
  const secrets = ['proxy', 'model_headers', 'custom_parameter'] as const
  expect(nonDefaultFields(before, provider(), [...secrets], isSet)).toEqual(secrets.slice(0, 2))
  expect(nonDefaultFields(edited, provider(), [...secrets], isSet)).toEqual(['model_headers'])
})

it('empty plugin options are not stored', () => {
  const values = {
    ...defaultValuesFor(provider()),
    plugin: { web_search: { enable: false }, voice: { alloy: 'x', echo: '' } },
  }
  expect(normalizeValues(values).plugin).toEqual({ voice: { alloy: 'x' } })
})

it('the summary names the fields that differ from a new channel', () => {
  const values = { ...defaultValuesFor(provider()), proxy: 'http://p', weight: 1 }
  expect(nonDefaultFields(values, provider(), ['proxy', 'weight', 'only_chat'])).toEqual(['proxy'])
})
