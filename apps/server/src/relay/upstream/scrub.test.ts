import { describe, expect, it } from 'vitest'
import type { Channel } from '../channels/channel.ts'
import { scrub } from './scrub.ts'

const privateKey = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----\n'
const account = JSON.stringify({
  type: 'service_account',
  private_key_id: '0123456789abcdef0123',
  private_key: privateKey,
  client_email: 'gateway@project.iam.gserviceaccount.com',
})

const channelWith = (more: Partial<Channel>): Channel =>
  ({ baseUrl: '', proxy: '', requestHeaders: {}, customParameter: undefined, ...more }) as Channel

/** Each secret of a channel, where it is stored, and words of a vendor that contain it. */
const cases: [string, string, Partial<Channel>, string][] = [
  ['the credential', 'sk-vendor-1', {}, 'sk-vendor-1'],
  ['a part of the credential', 'AKIA1234|SecretPart5678', {}, 'SecretPart5678'],
  ['the key of a service account', account, {}, privateKey],
  ['the address of a service account', account, {}, 'gateway@project.iam.gserviceaccount.com'],
  ['a credential with a quote', 'sk-"quoted"-key', {}, 'sk-"quoted"-key'],
  ['the host', 'x'.repeat(20), { baseUrl: 'https://host.example:8443/v1' }, 'host.example:8443'],
  [
    'a password in the address',
    'x'.repeat(20),
    { baseUrl: 'https://name:pass-word@host.example' },
    'pass-word',
  ],
  [
    'the password of the proxy',
    'x'.repeat(20),
    { proxy: 'http://name:pass%2Fword@proxy.example:3128' },
    'pass/word',
  ],
  [
    'the host of the proxy',
    'x'.repeat(20),
    { proxy: 'socks5://proxy.example:1080' },
    'proxy.example:1080',
  ],
  [
    'a header',
    'x'.repeat(20),
    { requestHeaders: { 'x-account': 'header-secret-0123456789' } },
    'header-secret-0123456789',
  ],
  [
    'a parameter',
    'x'.repeat(20),
    { customParameter: { inner: [{ key: 'parameter-secret-012345' }] } },
    'parameter-secret-012345',
  ],
]

describe('S37 the words of a vendor', () => {
  it.each(cases)('are shown without %s', (_, credential, channel, secret) => {
    const source = { channel: channelWith(channel), credential }
    for (const text of [`wrong: ${secret}!`, JSON.stringify({ error: `wrong: ${secret}!` })]) {
      const shown = scrub(Buffer.from(text), source).toString()
      expect(shown).not.toContain(secret)
      expect(shown).not.toContain(JSON.stringify(secret).slice(1, -1))
      expect(shown).toContain('wrong: ***!')
    }
  })

  it('are the same bytes without a secret, and keep short settings of the channel', () => {
    const channel = channelWith({
      requestHeaders: { accept: 'application/json' },
      customParameter: { effort: 'high' },
    })
    const body = Buffer.from('{"error":"effort high is no application/json"}')
    expect(scrub(body, { channel, credential: 'sk-vendor-1' })).toBe(body)
  })
})
