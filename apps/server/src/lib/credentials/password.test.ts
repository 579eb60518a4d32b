import { argon2Sync } from 'node:crypto'
import bcrypt from 'bcrypt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword, unknownUserHash, verifyPassword } from './password.ts'

// Elsewhere tests hash at a lower cost, see test/harness/process/quick-passwords.mjs.
beforeAll(() => {
  process.env.REAL_PASSWORD_COST = '1'
})
afterAll(() => {
  delete process.env.REAL_PASSWORD_COST
})

it('a password is hashed by argon2id with 19 MiB, two passes and one lane', async () => {
  const [, name, version, cost, nonce, tag] = (await hashPassword('correct horse')).split('$')
  expect([name, version, cost]).toEqual(['argon2id', 'v=19', 'm=19456,t=2,p=1'])
  const expected = argon2Sync('argon2id', {
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    message: 'correct horse',
    nonce: Buffer.from(nonce!, 'base64'),
    tagLength: 32,
  })
  expect(tag).toBe(expected.toString('base64').replace(/=+$/, ''))
})

it('the right password is right, another is wrong, and two hashes of one differ', async () => {
  const hash = await hashPassword('correct horse')
  expect(await verifyPassword('correct horse', hash)).toBe('right')
  expect(await verifyPassword('correct horsf', hash)).toBe('wrong')
  expect(await hashPassword('correct horse')).not.toBe(hash)
})

it('every one of 128 characters counts', async () => {
  const long = 'a'.repeat(128)
  expect(await verifyPassword(`${'a'.repeat(127)}b`, await hashPassword(long))).toBe('wrong')
})

it('a bcrypt hash of One Hub verifies and asks to be renewed', async () => {
  const hash = (await bcrypt.hash('12345678', 4)).replace(/^\$2b\$/, '$2a$')
  expect(await verifyPassword('12345678', hash)).toBe('stale')
  expect(await verifyPassword('12345679', hash)).toBe('wrong')
})

it('bcrypt never takes the first 72 bytes for the whole password', async () => {
  const hash = await bcrypt.hash('a'.repeat(72), 4)
  expect(await verifyPassword(`${'a'.repeat(72)}b`, hash)).toBe('wrong')
})

it('an unreadable hash lets nobody in', async () => {
  for (const hash of ['', 'plain', '$argon2id$', '$argon2i$v=19$m=1,t=1,p=1$AA$AA'])
    expect(await verifyPassword('plain', hash)).toBe('wrong')
})

it('S23 an unknown name costs what a wrong password costs', async () => {
  const parametersOf = (hash: string) => hash.split('$').slice(1, 4)
  const known = await hashPassword('correct horse')
  expect(parametersOf(unknownUserHash)).toEqual(parametersOf(known))
  const lengthsOf = (hash: string) => hash.split('$').map(each => each.length)
  expect(lengthsOf(unknownUserHash)).toEqual(lengthsOf(known))
  expect(await verifyPassword('wrong', unknownUserHash)).toBe('wrong')
})
