import { openaiChat } from '@hub/dialects'
import { describe, expect, it } from 'vitest'
import { type Endpoint, type Provider, providers } from './index.ts'
import { topEdits } from './quirks.ts'

const model = 'SparkDesk'
const body = Buffer.from(JSON.stringify({ model, messages: [] }))

/** Everything that a provider may read the free field for, with this value in it. */
const effectOf = ({ serves, stores, tokenCounting, ...provider }: Provider, other: string) => {
  const endpoints = Object.values(serves).flat() as Endpoint[]
  const paths = [
    ...endpoints.map(({ path }) => path),
    ...Object.values(tokenCounting ?? {}).flatMap(each => each?.path ?? []),
    ...Object.values(stores?.paths ?? {}),
    ...(provider.balance?.paths ?? []),
    provider.modelListPath ?? '',
  ]
  const context = { model, stream: false, options: {}, baseUrl: 'https://a.example', other }
  const read = openaiChat.read(body)
  if (!read.ok) throw new Error('not a request')
  return [
    paths.map(path => (typeof path === 'string' ? path : path(context))),
    provider.placeholders?.({ credential: 'a|b|c', other }),
    endpoints.map(({ sessionModel }) => sessionModel?.(context)),
    endpoints.map(({ quirks }) => topEdits(quirks, read.parsed, model, {}, { other })),
  ]
}

describe('the free field of a channel', () => {
  it.each(providers)('$name: it has an effect exactly where the form shows it', provider => {
    const isRead =
      JSON.stringify(effectOf(provider, 'v3.5')) !== JSON.stringify(effectOf(provider, ''))
    expect(isRead).toBe(provider.freeField !== undefined)
  })
})
