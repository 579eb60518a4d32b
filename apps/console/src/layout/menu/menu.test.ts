import { expect, it } from 'vitest'
import { findMenuItem, flatMenu, menuFor } from './menu.ts'

const idsOf = (isAdmin: boolean, isRoot: boolean) =>
  flatMenu({ isAdmin, isRoot }).map(each => each.id)

it('a user sees no admin pages and no empty sections', () => {
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

it('an administrator sees all pages except those of the super administrator', () => {
  expect(idsOf(true, false)).not.toContain('audit')
  expect(idsOf(true, true)).toContain('audit')
})

it('a path resolves to its menu item and section', () => {
  expect(findMenuItem('/panel/pricing')).toMatchObject({
    parent: 'operation',
    item: { id: 'pricing' },
  })
  expect(findMenuItem('/panel/nowhere')).toBeUndefined()
})
