import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

/** https://www.iana.org/assignments/iana-ipv4-special-registry and the multicast and reserved blocks: first and last. */
const special4 = [
  ...['0.0.0.0-0.255.255.255', '10.0.0.0-10.255.255.255', '100.64.0.0-100.127.255.255'],
  ...['127.0.0.0-127.255.255.255', '169.254.0.0-169.254.255.255', '172.16.0.0-172.31.255.255'],
  ...['192.0.0.0-192.0.0.255', '192.0.2.0-192.0.2.255', '192.31.196.0-192.31.196.255'],
  ...['192.52.193.0-192.52.193.255', '192.88.99.0-192.88.99.255', '192.168.0.0-192.168.255.255'],
  ...['192.175.48.0-192.175.48.255', '198.18.0.0-198.19.255.255', '198.51.100.0-198.51.100.255'],
  ...['203.0.113.0-203.0.113.255', '224.0.0.0-239.255.255.255', '240.0.0.0-255.255.255.255'],
].flatMap(each => each.split('-'))

/** https://www.iana.org/assignments/iana-ipv6-special-registry, and every block that is not global unicast. */
const special6 = [
  ...[
    '::',
    '::1',
    '::ffff:0:0',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::7f00:1',
  ],
  ...['64:ff9b::', '64:ff9b::a00:1', '64:ff9b::808:808', '64:ff9b:1::', '64:ff9b:1:ffff::1'],
  ...['100::', '100::ffff:ffff:ffff:ffff', '100:0:0:1::', '1fff:ffff::1'],
  ...['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:1::1', '2001:2::', '2001:3::'],
  ...['2001:4:112::', '2001:10::', '2001:20::', '2001:30::', '2001:db8::', '2001:db8:ffff::1'],
  ...['2002::', '2002:7f00:1::', '2002:ffff::1', '2620:4f:8000::', '2620:4f:8000:ffff::1'],
  ...['3fff::', '3fff:fff:ffff::1', '4000::', '5f00::', '5f00:ffff::1', '8000::', 'fc00::'],
  ...[
    'fdff:ffff::1',
    'fe00::',
    'fe80::',
    'fe80::1%eth0',
    'febf:ffff::1',
    'fec0::',
    'feff::1',
    'ff00::',
  ],
  ...['ff02::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
]

it('S3 no address of the special-purpose registries is public', () => {
  expect([...special4, ...special6].filter(isPublicAddress)).toEqual([])
})

it('S3 what is not an IP address in its plain form is not public', () => {
  const texts = [
    '',
    'example.com',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    '1.1.1.1:80',
    '1.1.1.1/8',
  ]
  expect(texts.filter(isPublicAddress)).toEqual([])
})

it.each([
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '128.0.0.0',
  ],
  ...[
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
  ],
  ...[
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
  ],
  ...['2606:4700::1111', '2a00:1450:4001::1', '3ffe::1'],
])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true)
})
