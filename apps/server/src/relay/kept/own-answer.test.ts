import { defaultSettings } from '@hub/contract'
import { type Ask, openaiResponses } from '@hub/dialects'
import { providers } from '@hub/providers'
import { expect, it } from 'vitest'
import type { App } from '../../core/app.ts'
import type { Place } from '../stored/place.ts'
import { ownAnswerOf } from './own-answer.ts'

const appThat = (KeepResponsesEnabled: boolean) => {
  const settings = defaultSettings()
  settings.responses.KeepResponsesEnabled = KeepResponsesEnabled
  return { settings: () => settings } as App
}
const askOf = (body: object): Ask => {
  const read = openaiResponses.read(Buffer.from(JSON.stringify({ model: 'm', ...body })))
  if (!read.ok) throw new Error(read.hint)
  return read.ask
}
const endpointOf = (id: string) => {
  const endpoints = providers.find(each => each.id === id)?.serves.chat ?? []
  const found = endpoints.find(each => each.dialect === 'openai-responses') ?? endpoints[0]
  if (!found) throw new Error(`${id} serves no chat`)
  return found
}
const serving = { tiers: [], preCost: 1 as const }
const goesOn = { previous: 'resp_1', input: [], ask: askOf({}) }

const own = (
  isOn: boolean,
  vendor: string,
  { body = {}, ...more }: Partial<Place> & { body?: object } = {},
) =>
  ownAnswerOf(appThat(isOn), {
    ask: askOf(body),
    place: { serving, ...more },
    endpoint: endpointOf(vendor),
  })

it('what a vendor does not keep is ours, if the operator wants it and the caller does', () => {
  for (const vendor of ['anthropic', 'openrouter', 'gemini']) {
    expect(own(true, vendor)).toMatchObject({ store: true, previous: undefined })
    expect(own(false, vendor)).toBeUndefined()
    expect(own(true, vendor, { body: { store: false } })).toBeUndefined()
  }
  expect(own(true, 'openai')).toBeUndefined()
})

it('what went on from ours is ours at every vendor, and says whether it is kept', () => {
  for (const vendor of ['anthropic', 'openrouter', 'openai']) {
    expect(own(true, vendor, { goesOn })).toMatchObject({ store: true, previous: 'resp_1' })
    expect(own(false, vendor, { goesOn })).toMatchObject({ store: false, previous: 'resp_1' })
    const unwanted = own(true, vendor, { goesOn, body: { store: false } })
    expect(unwanted).toMatchObject({ store: false })
  }
})

it('what only a vendor can do, and what has no such state, is not', () => {
  expect(own(true, 'anthropic', { body: { background: true } })).toBeUndefined()
  expect(own(true, 'anthropic', { body: { conversation: 'conv_1' } })).toBeUndefined()
  expect(own(true, 'openai', { under: '/compact' })).toBeUndefined()
  const { state: _, ...stateless } = askOf({})
  const asked = { ask: stateless, place: { serving }, endpoint: endpointOf('anthropic') }
  expect(ownAnswerOf(appThat(true), asked)).toBeUndefined()
})

it('each has an id that nobody can guess', () => {
  const ids = Array.from({ length: 50 }, () => own(true, 'anthropic')?.id ?? '')
  expect(new Set(ids).size).toBe(50)
  for (const id of ids) expect(id).toMatch(/^resp_[0-9a-f]{48}$/)
})
