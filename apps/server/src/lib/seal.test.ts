import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeSealer } from './seal.ts'

const sealer = makeSealer(randomBytes(32))
const place = 'channels.key_sealed:7'

it('a sealed text opens in its own place', () => {
  for (const text of ['', 'sk-1', '密钥 🔑', 'x'.repeat(10_000)])
    expect(sealer.open('channel-key', place, sealer.seal('channel-key', place, text))).toBe(text)
})

it('the same text never looks the same twice', () => {
  expect(sealer.seal('channel-key', place, 'a')).not.toBe(sealer.seal('channel-key', place, 'a'))
})

it('a sealed text does not open in another row, for another purpose or under another master key', () => {
  const sealed = sealer.seal('channel-key', place, 'sk-secret')
  const other = makeSealer(randomBytes(32))
  const failed = expect.objectContaining({ code: 'server.failed' })
  expect(() => sealer.open('channel-key', 'channels.key_sealed:8', sealed)).toThrow(failed)
  expect(() => sealer.open('token-key', place, sealed)).toThrow(failed)
  expect(() => other.open('channel-key', place, sealed)).toThrow(failed)
})

it('a changed, cut or foreign text is refused', () => {
  const sealed = sealer.seal('channel-key', place, 'sk-secret')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() => sealer.open('channel-key', place, `v1.${changed.toString('base64url')}`)).toThrow()
  }
  for (const text of ['', 'v1.', 'v2.abc', sealed.slice(0, 20), 'plain'])
    expect(() => sealer.open('channel-key', place, text)).toThrow()
})

it('a fingerprint is stable, and differs by purpose and master key', () => {
  const other = makeSealer(randomBytes(32))
  const print = sealer.fingerprint('access-token', 'abc')
  expect(print).toMatch(/^[0-9a-f]{64}$/)
  expect(sealer.fingerprint('access-token', 'abc')).toBe(print)
  expect(sealer.fingerprint('audit', 'abc')).not.toBe(print)
  expect(other.fingerprint('access-token', 'abc')).not.toBe(print)
})
