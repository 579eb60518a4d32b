import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Fault } from '@hub/contract'
import { expect, it } from 'vitest'
import { checkHost, isPublicAddress, publicLookup } from './addresses.ts'
import { PublicTunnelClient } from './connection-pool.ts'

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

it('a proxy is given a public address, and no name that it could resolve otherwise', async () => {
  const targets: (string | undefined)[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    targets.push(url)
    socket.end('HTTP/1.1 200 OK\r\n\r\n')
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const client = new PublicTunnelClient(`http://127.0.0.1:${port}`)
  const tunnel = (path: string) => client.connect({ path }).then(({ socket }) => socket.destroy())
  await tunnel('1.1.1.1:443')
  await tunnel('[2606:4700::1111]:443')
  for (const path of ['localhost:443', '127.0.0.1:443', '[::1]:80'])
    await expect(tunnel(path)).rejects.toMatchObject({ code: 'address.forbidden' })
  expect(targets).toEqual(['1.1.1.1:443', '[2606:4700::1111]:443'])
  await client.destroy()
  proxy.close()
})
