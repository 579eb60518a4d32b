import { readFileSync } from 'node:fs'
import { Fault } from '@hub/contract'

const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
const common = new Set(list.split('\n').filter(line => line !== '' && !line.startsWith('#')))

export const isCommonPassword = (password: string): boolean =>
  common.has(password.normalize('NFKC').toLowerCase())

export const refuseCommonPassword = (password: string): void => {
  if (isCommonPassword(password)) throw new Fault('password.common')
}
