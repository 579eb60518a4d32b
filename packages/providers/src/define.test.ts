import { expect, it } from 'vitest'
import { addressOf, type Path, pathUnder, providers } from './index.ts'

const target = { model: 'm', stream: false, options: {}, other: '' }
const under = (path: Path, rest: string) => {
  const made = pathUnder(path, rest)
  return typeof made === 'string' ? made : made(target)
}

it('an address below another one stands before what that one asks', () => {
  expect(under('/v1/responses', '/resp_1/cancel')).toBe('/v1/responses/resp_1/cancel')
  expect(under('/v1/responses?v=1?2', '/compact')).toBe('/v1/responses/compact?v=1?2')
  expect(under(() => undefined, '/compact')).toBeUndefined()
})

it('whoever keeps answers has an address for them', () => {
  const keepers = providers.flatMap(provider =>
    (provider.serves.chat ?? [])
      .filter(each => each.keeps)
      .map(each => {
        const place = { ...target, other: 'preview', baseUrl: 'https://a.example' }
        const path = pathUnder(each.path, '/resp_1')
        return [provider.id, each.dialect, addressOf(provider, { path }, place)]
      }),
  )
  expect(keepers).toEqual([
    ['openai', 'openai-responses', 'https://a.example/v1/responses/resp_1'],
    [
      'azure-v1',
      'openai-responses',
      'https://a.example/openai/v1/responses/resp_1?api-version=preview',
    ],
    ['xai', 'openai-responses', 'https://a.example/v1/responses/resp_1'],
  ])
})
