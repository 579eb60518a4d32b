import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

const urlAt = (baseUrl: string, options = {}, path = provider.serves.chat![0]!.path) => {
  const channel = { baseUrl, model: 'm', stream: false, options, other: '' }
  return addressOf(provider, { path }, channel)
}

it.each(provider.addressPresets)('the address of $name leads to its chat completions', preset => {
  const url = new URL(urlAt(preset.baseUrl)!)
  expect([url.protocol, url.pathname]).toEqual([
    url.hostname === 'localhost' ? 'http:' : 'https:',
    expect.stringMatching(/^(\/\w+)*\/v\d(\/openai)?\/chat\/completions$/),
  ])
})

it.each([
  ['https://a.example', 'https://a.example/v1/chat/completions'],
  ['https://a.example/relay/', 'https://a.example/relay/v1/chat/completions'],
  ['https://a.example/v1', 'https://a.example/v1/chat/completions'],
  ['https://a.example/api/v3/', 'https://a.example/api/v3/chat/completions'],
  ['https://a.example/v1beta/openai', 'https://a.example/v1beta/openai/chat/completions'],
])('an address %s that names a version gets no other one', (baseUrl, url) => {
  expect(urlAt(baseUrl)).toBe(url)
})

it('a path of the options is taken as it is, and so is its absence', () => {
  const at = (path: string) => urlAt('https://a.example/v1', { customize: { 1: path } })
  expect(at('/v2/talk')).toBe('https://a.example/v1/v2/talk')
  expect(at('disable')).toBeUndefined()
})

it('the model list and the balance have the version of the address too', () => {
  const { modelListPath, balance } = provider
  const urls = [modelListPath!, ...balance!.paths].map(path =>
    urlAt('https://a.example/api/v3', {}, path),
  )
  expect(urls).toEqual([
    'https://a.example/api/v3/models',
    'https://a.example/api/v3/dashboard/billing/subscription',
    'https://a.example/api/v3/dashboard/billing/usage',
  ])
})

it('Responses pass through where the channel names their path, and are translated elsewhere', () => {
  const responses = provider.serves.chat!.find(({ dialect }) => dialect === 'openai-responses')!
  const options = (path: string) => ({ customize: { 16: path } })
  expect(responses.enabledBy!(options('/v1/responses'))).toBe(true)
  for (const path of ['', 'disable']) expect(responses.enabledBy!(options(path))).toBe(false)
  expect(responses.enabledBy!({})).toBe(false)
  expect(urlAt('https://a.example', options('/v2/answers'), responses.path)).toBe(
    'https://a.example/v2/answers',
  )
})

it('a channel whose chat path is switched off serves chats at its Responses path', () => {
  const customize = { 1: 'disable', 16: '/v1/responses' }
  const enabled = (options: Record<string, Record<string, string>>) =>
    provider.serves
      .chat!.filter(each => each.enabledBy?.(options) !== false)
      .map(({ dialect }) => dialect)
  expect(enabled({ customize })).toEqual(['openai-responses'])
  expect(enabled({ customize: { ...customize, 1: '' } })).toEqual([
    'openai-chat',
    'openai-responses',
  ])
  expect(enabled({})).toEqual(['openai-chat'])
})

it('a realtime session names its model in the query', () => {
  const { path } = provider.serves.realtime![0]!
  expect(urlAt('https://a.example/v1', {}, path)).toBe('https://a.example/v1/realtime?model=m')
})
