import { expect, it } from 'vitest'
import { shortId } from './short-id.ts'

it('a short id begins readably where the limit allows it, and ends with a hash', () => {
  expect(shortId('user_alice@example.com/0123456789/0123456789/0123456789/0123456789', 64)).toMatch(
    /^user_alice_example_com_01234567-[0-9a-f]{32}$/,
  )
  expect(shortId('x'.repeat(100), 32)).toMatch(/^[0-9a-f]{32}$/)
  expect(shortId('x'.repeat(100), 40)).toMatch(/^[0-9a-f]{32}$/)
  // Half of a surrogate pair is not a letter that JSON could carry.
  expect(shortId('👩‍🚀'.repeat(30), 64)).toMatch(/^[\w-]{1,64}$/)
})
