import { describe, expect, it } from 'vitest'
import { hasSecondTry } from '../scripts/lib/testing/second-try.mjs'

const named = (...titles: string[]) => titles.map(title => ({ title }))

describe('a second try of failed tests', () => {
  it('is given to few failures', () => {
    expect(
      hasSecondTry(named('a page stands still', 'an e-mail arrives', 'SHA256 of a file')),
    ).toBe(true)
  })
  it('is not given to a run without a named failure, or with many', () => {
    expect(hasSecondTry([])).toBe(false)
    expect(hasSecondTry(named('a', 'b', 'c', 'd'))).toBe(false)
  })
  it.each([
    'R2 killed at every single step',
    'charges on PostgreSQL R41 R43 no call fails',
    'S12 nothing runs',
  ])('is never given to a rule of money or security: %s', title =>
    expect(hasSecondTry(named('a page stands still', title))).toBe(false),
  )
})
