import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeSealer } from './seal.ts'

const sealer = makeSealer(randomBytes(32))
const context = 'channels.key_sealed:7'

it('a sealed text opens in the context it was sealed for', () => {
  for (const text of ['', 'sk-1', '密钥 🔑', 'x'.repeat(10_000)])
    expect(sealer.open('channel-key', context, sealer.seal('channel-key', context, text))).toBe(
      text,
    )
})

it('sealing one text twice gives different results', () => {
  expect(sealer.seal('channel-key', context, 'a')).not.toBe(
    sealer.seal('channel-key', context, 'a'),
  )
})

it('a sealed text does not open in another row, for another purpose or under another master key', () => {
  const sealed = sealer.seal('channel-key', context, 'sk-secret')
  const other = makeSealer(randomBytes(32))
  const failed = expect.objectContaining({ code: 'server.failed' })
  expect(() => sealer.open('channel-key', 'channels.key_sealed:8', sealed)).toThrow(failed)
  expect(() => sealer.open('token-key', context, sealed)).toThrow(failed)
  expect(() => other.open('channel-key', context, sealed)).toThrow(failed)
})

it('a modified, truncated or foreign text is refused', () => {
  const sealed = sealer.seal('channel-key', context, 'sk-secret')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() =>
      sealer.open('channel-key', context, `v1.${changed.toString('base64url')}`),
    ).toThrow()
  }
  for (const text of ['', 'v1.', 'v2.abc', sealed.slice(0, 20), 'plain'])
    expect(() => sealer.open('channel-key', context, text)).toThrow()
})

it('a fingerprint is stable and depends on purpose and master key', () => {
  const other = makeSealer(randomBytes(32))
  const fingerprint = sealer.fingerprint('access-token', 'abc')
  expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
  expect(sealer.fingerprint('access-token', 'abc')).toBe(fingerprint)
  expect(sealer.fingerprint('audit', 'abc')).not.toBe(fingerprint)
  expect(other.fingerprint('access-token', 'abc')).not.toBe(fingerprint)
})
