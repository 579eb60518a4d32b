import { expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

it('C13 the most common passwords are known in any case, and a phrase is none of them', () => {
  const common = ['password', '12345678', 'Password1', 'QWERTYUIOP', 'iloveyou', 'ｐassword']
  expect(common.filter(each => !isCommonPassword(each))).toEqual([])
  const others = ['correct horse battery', 'quite-another-one', '# from @zxcvbn-ts']
  expect(others.filter(isCommonPassword)).toEqual([])
})

it.each([
  ['blanks', '        '],
  ['blanks of other kinds', '\u3000\u2003 \t\u00a0   '],
  ['one letter', 'aaaaaaaa'],
  ['one letter between blanks', 'a a a a a'],
  ['one letter in two cases', 'aAaAaAaA'],
  ['two letters', 'xyxyxyxyxyxy'],
  ['three figures', '112233112233'],
  ['the alphabet', 'bcdefghijk'],
  ['figures that fall', '9876543210'],
  ['every second letter', 'acegikmo'],
  ['one emoji', '\u{1f600}'.repeat(8)],
])('C13 a password of %s is common', (_, password) => {
  expect(isCommonPassword(password)).toBe(true)
})
