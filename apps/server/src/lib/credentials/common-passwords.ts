import { readFileSync } from 'node:fs'
import { Fault } from '@hub/contract'

const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
const common = new Set(list.split('\n').filter(line => line !== '' && !line.startsWith('#')))

/** A password with fewer different characters is guessed as soon as a list of common ones. */
const differentCharactersMin = 4

export const isCommonPassword = (password: string): boolean => {
  const text = password.normalize('NFKC').toLowerCase()
  return common.has(text) || isTrivial(text)
}

const isTrivial = (text: string): boolean => {
  const codes = [...text.replace(/\s/gu, '')].map(each => each.codePointAt(0)!)
  if (new Set(codes).size < differentCharactersMin) return true
  const steps = new Set(codes.slice(1).map((code, index) => code - codes[index]!))
  // `abcdefgh`, `98765432`, `acegikmo`
  return steps.size === 1
}

export const refuseCommonPassword = (password: string): void => {
  if (isCommonPassword(password)) throw new Fault('password.common')
}
