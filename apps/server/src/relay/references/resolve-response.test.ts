import { defaultSettings } from '@hub/contract'
import { openaiResponses, type ParsedRequest } from '@hub/dialects'
import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import type { App } from '../../core/app.ts'
import { makeSealer } from '../../lib/seal.ts'
import type { RoutingTarget } from '../context.ts'
import { localResponseFor } from './resolve-response.ts'

const makeApp = (KeepResponsesEnabled: boolean) => {
  const settings = defaultSettings()
  settings.responses.KeepResponsesEnabled = KeepResponsesEnabled
  return { settings: () => settings, seal: makeSealer(Buffer.alloc(32)) } as App
}
const parse = (body: object): ParsedRequest => {
  const result = openaiResponses.read(Buffer.from(JSON.stringify({ model: 'm', ...body })))
  if (!result.ok) throw new Error(result.hint)
  return result.parsed
}
const endpointOf = (id: string) => {
  const endpoints = providers.find(each => each.id === id)?.serves.chat ?? []
  const found = endpoints.find(each => each.dialect === 'openai-responses') ?? endpoints[0]
  if (!found) throw new Error(`${id} serves no chat`)
  return found
}
const group = 'default'
const candidates = { tiers: [], preCost: 1 as const, addedTokens: 0, size: 0 }
const continuation = { previous: 'resp_1', input: [] }

const localResponse = (
  isEnabled: boolean,
  vendor: string,
  { body = {}, ...more }: Partial<RoutingTarget> & { body?: object } = {},
) =>
  localResponseFor(makeApp(isEnabled), {
    state: parse(body).state!,
    target: { group, candidates, ...more },
    endpoint: endpointOf(vendor),
  })

it('stores what a vendor does not, if the operator and the caller want it', () => {
  for (const vendor of ['anthropic', 'openrouter', 'gemini']) {
    expect(localResponse(true, vendor)).toMatchObject({ store: true, previous: undefined })
    expect(localResponse(false, vendor)).toBeUndefined()
    expect(localResponse(true, vendor, { body: { store: false } })).toBeUndefined()
  }
  expect(localResponse(true, 'openai')).toBeUndefined()
})

it('continues a local response with a local id at every vendor, stored or not', () => {
  for (const vendor of ['anthropic', 'openrouter', 'openai']) {
    expect(localResponse(true, vendor, { continuation })).toMatchObject({
      store: true,
      previous: 'resp_1',
    })
    expect(localResponse(false, vendor, { continuation })).toMatchObject({
      store: false,
      previous: 'resp_1',
    })
    const unwanted = localResponse(true, vendor, { continuation, body: { store: false } })
    expect(unwanted).toMatchObject({ store: false })
  }
})

it('gives a response in the background the id that its caller knows, at every vendor', () => {
  const background = { id: 'resp_2', createdAt: 1 }
  for (const vendor of ['anthropic', 'openrouter', 'openai'])
    expect(localResponse(true, vendor, { background })).toEqual({
      ...{ id: 'resp_2', previous: undefined, store: true, background },
    })
})

it('leaves to the vendor what only a vendor can do', () => {
  expect(localResponse(true, 'anthropic', { body: { background: true } })).toBeUndefined()
  expect(localResponse(true, 'anthropic', { body: { conversation: 'conv_1' } })).toBeUndefined()
  expect(localResponse(true, 'openai', { pathSuffix: '/compact' })).toBeUndefined()
})

it('gives each response an id that nobody can guess', () => {
  const ids = Array.from({ length: 50 }, () => localResponse(true, 'anthropic')?.id ?? '')
  expect(new Set(ids).size).toBe(50)
  for (const id of ids) expect(id).toMatch(/^resp_[0-9A-Za-z]{8}[0-9a-f]{40}$/)
})
