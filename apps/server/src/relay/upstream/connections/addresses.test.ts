import { Fault } from '@hub/contract'
import { expect, it } from 'vitest'
import { checkHost, publicLookup } from './addresses.ts'

it('a private address in figures is refused before anything is looked up', () => {
  expect(() => checkHost('[::1]')).toThrow(Fault)
  expect(() => checkHost('127.0.0.1')).toThrow(Fault)
  expect(() => checkHost('example.com')).not.toThrow()
})

it('a name that leads to a private address is refused', async () => {
  const error = await new Promise(resolve =>
    publicLookup('localhost', { all: true }, each => resolve(each)),
  )
  expect(error).toMatchObject({ code: 'address.forbidden' })
})
