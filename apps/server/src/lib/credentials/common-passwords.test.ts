import { expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

it('C13 the most common passwords are known in any case, and a phrase is none of them', () => {
  const common = ['password', '12345678', 'Password1', 'QWERTYUIOP', 'iloveyou', 'ｐassword']
  expect(common.filter(each => !isCommonPassword(each))).toEqual([])
  const others = ['correct horse battery', 'quite-another-one', '# from @zxcvbn-ts', '']
  expect(others.filter(isCommonPassword)).toEqual([])
})
