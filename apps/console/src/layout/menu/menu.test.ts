import { expect, it } from 'vitest'
import { findMenuItem, flatMenu, menuFor } from './menu.ts'

const idsOf = (isAdmin: boolean, isRoot: boolean, hasInvoices = false) =>
  flatMenu({ isAdmin, isRoot, hasInvoices }).map(each => each.id)

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
    'midjourney',
    'task',
  ])
  expect(
    menuFor({ isAdmin: false, isRoot: false, hasInvoices: false }).every(
      each => each.children.length > 0,
    ),
  ).toBe(true)
})

it('an administrator sees all pages except those of the super administrator', () => {
  expect(idsOf(true, false)).not.toContain('system_info')
  expect(idsOf(true, true)).toContain('system_info')
  expect(idsOf(true, false)).toContain('audit')
  expect(idsOf(false, false)).not.toContain('audit')
})

it('the invoices appear only while the site makes them', () => {
  expect(idsOf(false, false, true)).toContain('invoice')
  expect(idsOf(true, true, false)).not.toContain('invoice')
})

it('a path resolves to its menu item and section', () => {
  expect(findMenuItem('/panel/pricing')).toMatchObject({
    parent: 'operation',
    item: { id: 'pricing' },
  })
  expect(findMenuItem('/panel/channel/7')?.item.id).toBe('channel')
  expect(findMenuItem('/panel/channels')).toBeUndefined()
  expect(findMenuItem('/panel/nowhere')).toBeUndefined()
})
