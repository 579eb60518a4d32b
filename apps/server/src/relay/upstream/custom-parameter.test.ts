import type { ByteRange, ParsedRequest } from '@hub/dialects'
import { expect, it } from 'vitest'
import { customParameterEdits } from './custom-parameter.ts'

const place: ByteRange = { keyStart: 0, start: 0, end: 0 }
const ask = (...keys: string[]): ParsedRequest => ({
  model: 'requested',
  stream: false,
  outputMax: undefined,
  n: 1,
  hasTools: false,
  wantsUsage: false,
  promptTokens: 1,
  fieldRanges: new Map(keys.map(key => [key, place])),
  body: Buffer.from('{}'),
})

it('fills in what the caller did not say', () => {
  expect(customParameterEdits({ top_p: 1, seed: 2 }, ask('seed'), 'sent')).toEqual({ top_p: 1 })
})

it('replaces what the caller said only with overwrite', () => {
  expect(customParameterEdits({ overwrite: true, seed: 2 }, ask('seed'), 'sent')).toEqual({
    seed: 2,
  })
})

it('takes the object of the model where there is one', () => {
  const parameter = { per_model: true, sent: { a: 1 }, requested: { b: 2 }, other: { c: 3 } }
  expect(customParameterEdits(parameter, ask(), 'sent')).toEqual({ a: 1 })
  expect(customParameterEdits(parameter, ask(), 'unlisted')).toEqual({ b: 2 })
  expect(customParameterEdits({ per_model: true, other: { c: 3 } }, ask(), 'sent')).toEqual({})
})

it('keeps the usage report of a stream, by which it is charged', () => {
  const stream_options = { include_usage: false }
  for (const overwrite of [true, false])
    expect(customParameterEdits({ overwrite, stream_options, a: 1 }, ask(), 'sent')).toEqual({
      a: 1,
    })
})

it('finds no object under names that every object has', () => {
  const parameter = { per_model: true, other: { c: 3 } }
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(customParameterEdits(parameter, { ...ask(), model: name }, name)).toEqual({})
  const named = { per_model: true, other: { c: 3 }, constructor: { a: 1 } }
  expect(customParameterEdits(named, ask(), 'constructor')).toEqual({ a: 1 })
})

it('never changes the model or whether it streams, and sends no control key', () => {
  const parameter = { overwrite: true, pre_add: true, model: 'dear', stream: true, a: 1 }
  expect(customParameterEdits(parameter, ask('model', 'stream'), 'sent')).toEqual({ a: 1 })
})
