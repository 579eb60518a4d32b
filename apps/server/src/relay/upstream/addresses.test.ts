import { Fault } from '@hub/contract'
import { expect, it } from 'vitest'
import { checkHost, isPublicAddress, publicLookup } from './addresses.ts'

it.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  'fc00::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  'not an address',
])('%s is not public', address => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  address => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

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
