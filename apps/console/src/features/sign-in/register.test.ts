// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { clearInviteCode, rememberInviteCode } from './invite-code.ts'
import { NewAccount } from './register.tsx'

beforeEach(() => localStorage.clear())

it('an invite code from the address is stored until it is used', () => {
  expect(rememberInviteCode('')).toBe('')
  expect(rememberInviteCode('?aff=abc')).toBe('abc')
  expect(rememberInviteCode('')).toBe('abc')
  expect(rememberInviteCode('?aff=later')).toBe('later')
  clearInviteCode()
  expect(rememberInviteCode('')).toBe('')
})

it('an overlong invite code is truncated', () => {
  expect(rememberInviteCode(`?aff=${'x'.repeat(500)}`)).toHaveLength(64)
})

it('the two passwords must be equal', () => {
  const account = { username: 'ann', password: 'a-password' }
  expect(NewAccount.safeParse({ ...account, again: 'a-password' }).success).toBe(true)
  expect(NewAccount.safeParse({ ...account, again: 'another-one' }).success).toBe(false)
  expect(NewAccount.safeParse({ ...account, username: 'a', again: 'a-password' }).success).toBe(
    false,
  )
})
