import { expect, it } from 'vitest'
import { addressOf, appendToPath, type EndpointPath, providers } from './index.ts'

const context = { model: 'm', stream: false, options: {}, other: '' }
const append = (path: EndpointPath, suffix: string) => {
  const made = appendToPath(path, suffix)
  return typeof made === 'string' ? made : made(context)
}

it('a suffix is placed before the query of a path', () => {
  expect(append('/v1/responses', '/resp_1/cancel')).toBe('/v1/responses/resp_1/cancel')
  expect(append('/v1/responses?v=1?2', '/compact')).toBe('/v1/responses/compact?v=1?2')
  expect(append(() => undefined, '/compact')).toBeUndefined()
})

it('every endpoint that stores responses has an address for one of them', () => {
  const addresses = providers.flatMap(provider =>
    (provider.serves.chat ?? [])
      .filter(each => each.storedResponses)
      .map(each => {
        const channel = { ...context, other: 'preview', baseUrl: 'https://a.example' }
        const path = appendToPath(each.path, '/resp_1')
        return [provider.id, each.dialect, addressOf(provider, { path }, channel)]
      }),
  )
  expect(addresses).toEqual([
    ['openai', 'openai-responses', 'https://a.example/v1/responses/resp_1'],
    [
      'azure-v1',
      'openai-responses',
      'https://a.example/openai/v1/responses/resp_1?api-version=preview',
    ],
    ['xai', 'openai-responses', 'https://a.example/v1/responses/resp_1'],
  ])
})
