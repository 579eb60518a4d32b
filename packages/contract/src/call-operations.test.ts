import { expect, it } from 'vitest'
import {
  addressesOf,
  callFormatAt,
  callFormats,
  callOperationIds,
  callOperations,
  taskOperations,
} from './call-operations.ts'

const rows = callOperationIds.map(id => ({ id, ...callOperations[id] }))

it.each(callFormats.flatMap(each => addressesOf(each).map(address => ({ address, each }))))(
  'a call to $address has the format that the table gives to this address',
  ({ address, each }) => {
    // Two formats of reranking share the end of their addresses and the fields of their requests.
    expect(callFormatAt(address)?.path).toBe(each.path)
  },
)

it('no address belongs to two formats', () => {
  const addresses = callFormats.flatMap(addressesOf)
  expect(addresses.filter((each, index) => addresses.indexOf(each) !== index)).toEqual([])
})

it('no two patterns for names of models have one rank', () => {
  const ranks = [...rows, ...Object.values(taskOperations)].flatMap(
    ({ models }) => models?.rank ?? [],
  )
  expect(new Set(ranks).size).toBe(ranks.length)
})

it('only operations with a shortest request have a test that is free of charge', () => {
  const tested = rows.filter(({ testFields }) => testFields)
  expect(tested.filter(({ formats }) => !formats[0]?.request).map(({ id }) => id)).toEqual([])
})
