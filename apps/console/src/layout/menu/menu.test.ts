import { expect, it } from 'vitest'
import { flatMenu, menuFor, trailOf } from './menu.ts'

const idsOf = (isAdmin: boolean, isRoot: boolean) =>
  flatMenu({ isAdmin, isRoot }).map(each => each.id)

it('a user sees what is theirs, and no empty group', () => {
  expect(idsOf(false, false)).toEqual([
    'dashboard',
    'playground',
    'token',
    'profile',
    'topup',
    'model_price',
    'conformance',
    'log',
  ])
  expect(menuFor({ isAdmin: false, isRoot: false }).every(each => each.children.length > 0)).toBe(
    true,
  )
})

it('an administrator sees everything but what is the super administrator’s', () => {
  expect(idsOf(true, false)).not.toContain('audit')
  expect(idsOf(true, true)).toContain('audit')
})

it('a page knows its place', () => {
  expect(trailOf('/panel/pricing')).toMatchObject({ parent: 'operation', item: { id: 'pricing' } })
  expect(trailOf('/panel/nowhere')).toBeUndefined()
})
