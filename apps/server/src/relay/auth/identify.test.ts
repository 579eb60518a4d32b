import { Fault } from '@hub/contract'
import { describe, expect, it } from 'vitest'
import { readCredential } from './identify.ts'

const key = 'sk-0123456789'

describe('a key is read', () => {
  it.each([
    ['as a bearer', { authorization: `Bearer ${key}` }, ''],
    ['as a bearer in another spelling', { authorization: `bearer  ${key} ` }, ''],
    ['bare', { authorization: key }, ''],
    ['from x-api-key', { 'x-api-key': key }, ''],
    ['from x-goog-api-key', { 'x-goog-api-key': key }, ''],
    ['from the address', {}, `alt=sse&key=${key}`],
  ])('%s', (_name, headers, query) => {
    expect(readCredential(headers, query)).toEqual({ key, forcedChannel: undefined })
  })
})

it('no key, an empty one and an endless one are refused alike', () => {
  for (const headers of [{}, { authorization: 'Bearer ' }, { 'x-api-key': 'k'.repeat(600) }])
    expect(() => readCredential(headers, 'nokey=1')).toThrow(new Fault('caller.unknown'))
})

it('a channel can be asked for, left out or ignored', () => {
  const forcedChannelOf = (suffix: string) =>
    readCredential({ authorization: `Bearer ${key}${suffix}` }, '').forcedChannel
  expect(forcedChannelOf('#12')).toEqual({ only: 12 })
  expect(forcedChannelOf('#!12')).toEqual({ except: 12 })
  expect(forcedChannelOf('#12#ignore')).toBeUndefined()
  for (const bad of ['#', '#0', '#-1', '#a', '#1.5', "#' OR 1=1"])
    expect(() => forcedChannelOf(bad), bad).toThrow(Fault)
})
