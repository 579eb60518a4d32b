// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest'
import { clearInviteCode, rememberInviteCode } from './invite-code.ts'
import { NewAccount, VerifiedAccount } from './register.tsx'

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

it('a site that verifies addresses needs one, and the code that was sent there', () => {
  const account = { username: 'ann', password: 'a-password', again: 'a-password' }
  const whole = { ...account, email: 'ann@mail.example', verification_code: '123456' }
  expect(VerifiedAccount.safeParse(whole).success).toBe(true)
  expect(VerifiedAccount.safeParse({ ...whole, email: '' }).success).toBe(false)
  expect(VerifiedAccount.safeParse({ ...whole, verification_code: ' ' }).success).toBe(false)
  expect(NewAccount.safeParse({ ...account, email: '', verification_code: '' }).success).toBe(true)
})
