import { expect, it } from 'vitest'
import { hasChecksum, makeInviteCode, makeTokenKey, masked, randomText } from './random.ts'

it('a token key has the right form and checksum, and is unique', () => {
  const keys = Array.from({ length: 1000 }, makeTokenKey)
  for (const key of keys) expect(key).toMatch(/^sk-[\w-]{49}$/)
  for (const key of keys) expect(hasChecksum(key)).toBe(true)
  expect(new Set(keys).size).toBe(keys.length)
})

it('a key with one changed character fails the checksum', () => {
  const key = makeTokenKey()
  const changed = `${key.slice(0, 10)}${key[10] === 'A' ? 'B' : 'A'}${key.slice(11)}`
  expect(hasChecksum(changed)).toBe(false)
})

it('a masked key shows at most eleven characters, and none of a short key', () => {
  const key = makeTokenKey()
  expect(masked(key)).toBe(`${key.slice(0, 7)}…${key.slice(-4)}`)
  expect(masked('sk-short-key')).not.toContain('short')
})

it('an invite code needs no URL encoding', () => {
  for (let n = 0; n < 100; n++) expect(makeInviteCode()).toMatch(/^[0-9a-f]{12}$/)
})

it('random text has the requested number of bytes', () => {
  expect(Buffer.from(randomText(32), 'base64url')).toHaveLength(32)
})
