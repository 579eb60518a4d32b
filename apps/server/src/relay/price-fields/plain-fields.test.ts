import { readFieldRanges } from '@hub/dialects'
import { providers, steeringFields } from '@hub/providers'
import { expect, it } from 'vitest'
import { hasPlainFields, hasPlainHeaders, toolFields } from './plain-fields.ts'

const parse = (body: object) => {
  const bytes = Buffer.from(JSON.stringify(body))
  const read = readFieldRanges(bytes, 0, bytes.length, [])
  if (!read.ok) throw new Error('not an object')
  return read
}

const priced = providers.flatMap(each => each.priceFields.fields)
const pricedNames = priced.filter(each => each.in === 'body').map(each => each.name.split('.')[0]!)
const steeringNames = steeringFields.flatMap(each =>
  each.fields.map(name => name.replace('*', 'x')),
)
const containers = ['metadata', 'extra_body', 'metadata[api_base]', 'extra_body[x]']
const all = [...new Set([...pricedNames, ...steeringNames, ...toolFields, ...containers])]

it('fields for prices, steering and tools are never plain, whatever their case', () => {
  const longS = (name: string) => name.replace('s', 'ſ')
  const plain = all.flatMap(name =>
    [name, name.toUpperCase(), longS(name)].filter(each =>
      hasPlainFields(parse({ model: 'm', [each]: 1 })),
    ),
  )
  expect(plain).toEqual([])
})

it('a field that the gateway adds is judged like the caller’s own', () => {
  const request = parse({ model: 'm', messages: [] })
  expect(hasPlainFields(request, { temperature: 1 })).toBe(true)
  expect(all.filter(name => hasPlainFields(request, { [name]: 1 }))).toEqual([])
})

it('the usual fields of every dialect are plain', () => {
  const usual = 'model messages input contents system instructions stream temperature top_p tools'
  const fields = Object.fromEntries(usual.split(' ').map(name => [name, 1]))
  expect(hasPlainFields(parse(fields))).toBe(true)
})

it('no header with a price is plain', () => {
  const names = priced.filter(each => each.in === 'header').map(each => each.name)
  expect(names.filter(name => hasPlainHeaders(['accept', '*/*', name, 'x']))).toEqual([])
  expect(hasPlainHeaders(['accept', '*/*', 'content-type', 'application/json'])).toBe(true)
})

it('longer names than are remembered are judged each time', () => {
  const long = `x${'y'.repeat(100)}`
  expect(hasPlainFields(parse({ [long]: 1 }))).toBe(true)
  expect(hasPlainFields(parse({ [long]: 1, api_base: 1 }))).toBe(false)
})
