// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { forgetInvitation, invitedBy } from './invited-by.ts'
import { NewAccount } from './register.tsx'

beforeEach(() => localStorage.clear())

it('an invitation is remembered from the address until it was used', () => {
  expect(invitedBy('')).toBe('')
  expect(invitedBy('?aff=abc')).toBe('abc')
  expect(invitedBy('')).toBe('abc')
  expect(invitedBy('?aff=later')).toBe('later')
  forgetInvitation()
  expect(invitedBy('')).toBe('')
})

it('a code that is no code does no harm', () => {
  expect(invitedBy(`?aff=${'x'.repeat(500)}`)).toHaveLength(64)
})

it('the password is asked for twice', () => {
  const account = { username: 'ann', password: 'a-password' }
  expect(NewAccount.safeParse({ ...account, again: 'a-password' }).success).toBe(true)
  expect(NewAccount.safeParse({ ...account, again: 'another-one' }).success).toBe(false)
  expect(NewAccount.safeParse({ ...account, username: 'a', again: 'a-password' }).success).toBe(
    false,
  )
})
