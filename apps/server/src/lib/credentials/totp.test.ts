import { expect, it } from 'vitest'
import { codeAtStep, makeTotpSecret, matchingStep, stepAt, totpUri } from './totp.ts'

/** "12345678901234567890" in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// https://www.rfc-editor.org/rfc/rfc6238#appendix-B, SHA-1, the last six of eight digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s', (seconds, code) => {
  expect(codeAtStep(secret, stepAt(seconds))).toBe(code)
  expect(matchingStep(secret, code, seconds)).toBe(stepAt(seconds))
})

// https://www.rfc-editor.org/rfc/rfc4226#appendix-D
it('the codes of the first counters are those of RFC 4226', () => {
  const codes = Array.from({ length: 10 }, (_, counter) => codeAtStep(secret, counter))
  expect(codes.join(' ')).toBe(
    '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489',
  )
})

it('a code is accepted one step early and one step late, and no further', () => {
  const code = codeAtStep(secret, 1000)
  const accepted = [998, 999, 1000, 1001, 1002].filter(
    step => matchingStep(secret, code, step * 30) === 1000,
  )
  expect(accepted).toEqual([999, 1000, 1001])
  expect(matchingStep(secret, '', 30_000)).toBeUndefined()
})

it('secrets are 160 bits of base32 that differ, and their address names site and account', () => {
  const [one, two] = [makeTotpSecret(), makeTotpSecret()]
  expect(one).toMatch(/^[A-Z2-7]{32}$/)
  expect(one).not.toBe(two)
  expect(totpUri(one, 'One Hub & co', 'ann:b')).toBe(
    `otpauth://totp/One%20Hub%20%26%20co:ann%3Ab?secret=${one}&issuer=One%20Hub%20%26%20co&algorithm=SHA1&digits=6&period=30`,
  )
})
