import { Fault } from '@hub/contract'
import { expect, it } from 'vitest'
import { nameKey } from './name-key.ts'
import { refuseReservedName } from './reserved-names.ts'

const isRefused = (name: string, byAdministrator = false): boolean => {
  try {
    refuseReservedName(name, { byAdministrator })
    return false
  } catch (error) {
    expect(error).toEqual(new Fault('name.reserved'))
    return true
  }
}

it('names that look like a reserved one are refused', () => {
  const alike = ['root', 'Root', 'ROOT', 'r00t', 'rооt', 'гoot', 'ｒｏｏｔ', 'röot', 'r.o-o_t']
  const more = ['Аdmin', 'ADMІN', 'adrnin', 'adm1n', 'admln', '@dmin', 'admin.', 'ѕуѕtem', '5ystem']
  expect([...alike, ...more].filter(name => !isRefused(name))).toEqual([])
})

it('other names are free, in any script', () => {
  const free = [
    'rooted',
    'groot',
    'admin2',
    'alice',
    'Ольга',
    '王小明',
    'さくら',
    'systems',
    'Σωκράτης',
  ]
  expect(free.filter(name => isRefused(name))).toEqual([])
})

it('an administrator may give a reserved name as it is, and no look-alike', () => {
  expect([isRefused('admin', true), isRefused('Admin', true), isRefused('аdmin', true)]).toEqual([
    false,
    true,
    true,
  ])
})

it('spellings of one name in another case, width or composition have one key', () => {
  const keys = ['Élodie', 'élodie', 'E\u0301LODIE', 'ｅ́lodie'].map(nameKey)
  expect(new Set(keys).size).toBe(1)
  expect(nameKey('Straße')).toBe(nameKey('STRASSE'))
})
