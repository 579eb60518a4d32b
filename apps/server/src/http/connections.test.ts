import { expect, it } from 'vitest'
import { makeAddressSet } from '../lib/ip.ts'
import { makeConnectionCounter } from './connections.ts'

it('an address has a bounded number of connections, and gets places back that it frees', () => {
  const counter = makeConnectionCounter(2, makeAddressSet([]))
  expect([1, 2, 3].map(() => counter.open('198.51.100.7'))).toEqual([true, true, false])
  expect(counter.open('198.51.100.8')).toBe(true)
  counter.close('198.51.100.7')
  expect([1, 2].map(() => counter.open('198.51.100.7'))).toEqual([true, false])
})

it('all IPv6 addresses of one /64 share their places, and a mapped address is its IPv4 address', () => {
  const counter = makeConnectionCounter(1, makeAddressSet([]))
  expect(counter.open('2001:db8:0:1::1')).toBe(true)
  expect(counter.open('2001:db8:0:1:ffff::2')).toBe(false)
  expect(counter.open('2001:db8:0:2::1')).toBe(true)
  expect(counter.open('::ffff:198.51.100.7')).toBe(true)
  expect(counter.open('198.51.100.7')).toBe(false)
})

it('proxies and private networks stand for many callers and are not limited', () => {
  const counter = makeConnectionCounter(1, makeAddressSet(['10.0.0.0/8']))
  expect([1, 2, 3].map(() => counter.open('10.1.2.3'))).toEqual([true, true, true])
})
