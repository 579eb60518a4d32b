import { expect, it } from 'vitest'
import {
  addressUnit,
  clientAddress,
  isLoopback,
  isRange,
  makeAddressSet,
  plainAddress,
} from './ip.ts'

const noProxies = makeAddressSet([])
const proxies = makeAddressSet(['10.0.0.0/8', '::1', '127.0.0.1'])

it('S48 without a trusted proxy, a forwarding header changes nothing', () => {
  expect(clientAddress('203.0.113.9', '1.2.3.4', noProxies)).toBe('203.0.113.9')
  expect(clientAddress('127.0.0.1', '1.2.3.4', noProxies)).toBe('127.0.0.1')
})

it('behind trusted proxies, the last address they did not add themselves counts', () => {
  expect(clientAddress('127.0.0.1', '1.2.3.4', proxies)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', proxies)).toBe('1.2.3.4')
  expect(clientAddress('10.0.0.1', undefined, proxies)).toBe('10.0.0.1')
})

it('words in a forwarding header are never taken for an address', () => {
  expect(clientAddress('10.0.0.1', 'evil\r\nlog: line', proxies)).toBe('10.0.0.1')
  expect(clientAddress('10.0.0.1', '1.2.3.4, unknown', proxies)).toBe('10.0.0.1')
})

it('one address has one spelling', () => {
  expect(plainAddress('::ffff:1.2.3.4')).toBe('1.2.3.4')
  expect(plainAddress('fe80::1%eth0')).toBe('fe80::1')
  expect(isLoopback('::ffff:127.0.0.1')).toBe(true)
  expect(isLoopback('128.0.0.1')).toBe(false)
})

it('ranges are read strictly', () => {
  for (const good of ['10.0.0.0/8', '::1', '2001:db8::/32', '1.2.3.4'])
    expect(isRange(good)).toBe(true)
  for (const bad of ['', 'x', '10.0.0.0/33', '1.2.3.4/', '::/129', '1.2.3.4/8/8', '1.2.3'])
    expect(isRange(bad)).toBe(false)
})

it('limits count an IPv4 address, and the /64 of an IPv6 address', () => {
  expect(addressUnit('203.0.113.9')).toBe('203.0.113.9')
  for (const one of ['2001:db8:0:1::', '2001:DB8::1:0:0:0:7', '2001:db8:0:1:ffff:ffff:ffff:ffff'])
    expect(addressUnit(one)).toBe('2001:db8:0:1::/64')
  expect(addressUnit('::1')).toBe('0:0:0:0::/64')
  expect(addressUnit('64:ff9b::192.0.2.1')).toBe('64:ff9b:0:0::/64')
  expect(addressUnit('1:2:3:4:5:6:192.0.2.1')).toBe('1:2:3:4::/64')
})
