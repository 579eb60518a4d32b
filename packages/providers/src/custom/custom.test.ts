import { expect, it } from 'vitest'
import { addressOf } from '../address.ts'
import { conform } from '../conform.ts'
import provider from './index.ts'

conform(provider, import.meta.url)

it.each(provider.addressPresets)('the address of $name is one without its version', preset => {
  const channel = { ...preset, model: 'm', stream: false, options: {}, other: '' }
  const url = new URL(addressOf(provider, provider.serves.chat![0]!, channel)!)
  expect([url.protocol, url.pathname]).toEqual([
    'https:',
    expect.stringMatching(/^(\/\w+)?\/v1\/chat\/completions$/),
  ])
})
