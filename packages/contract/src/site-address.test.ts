import { expect, it } from 'vitest'
import { addressStateOf } from './site-address.ts'

const states = {
  unset: ['', 'hub.example'],
  loopback: [
    ...[
      'http://localhost:3000',
      'http://hub.localhost',
      'https://LOCALHOST./x',
      'http://127.0.0.1',
    ],
    ...['http://127.9.8.7:80', 'http://2130706433', 'http://0x7f.1', 'http://[::1]:3000'],
    ...['http://0.0.0.0:3000', 'http://[::ffff:127.0.0.1]'],
  ],
  public: [
    'https://hub.example',
    'http://192.168.1.5:3000',
    'http://10.0.0.1',
    'http://hub',
    'http://localhost.example',
  ],
} as const

for (const [state, addresses] of Object.entries(states))
  it(`an address is ${state} by its host`, () => {
    for (const address of addresses)
      expect([address, addressStateOf(address)]).toEqual([address, state])
  })
