import { expect, it } from 'vitest'
import { findMenuItem, flatMenu, menu, menuFor, partsOf, titleIdOf } from './menu.ts'

const idsOf = (isAdmin: boolean, isRoot: boolean, hasInvoices = false) =>
  flatMenu({ isAdmin, isRoot, hasInvoices }).map(each => each.id)

it('a user sees no admin pages and no empty sections', () => {
  expect(idsOf(false, false)).toEqual([
    'dashboard',
    'playground',
    'conformance',
    'token',
    'profile',
    'topup',
    'model_price',
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
  expect(idsOf(true, false)).toContain('telegram')
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

it('the settings group is the account of a plain user, and is parted where management ends', () => {
  const settings = (isAdmin: boolean) =>
    menuFor({ isAdmin, isRoot: isAdmin, hasInvoices: true }).find(
      each => each.id === 'settingGroup',
    )!
  expect([titleIdOf(settings(false)), titleIdOf(settings(true))]).toEqual([
    'account',
    'settingGroup',
  ])
  const parts = partsOf(settings(true)).map(part => part.map(each => each.id))
  expect(parts[0]).toEqual(['user', 'channel', 'operation', 'paySetting'])
  expect(parts[1]).toEqual(['token', 'profile'])
  expect(parts.flat()).toEqual(settings(true).children.map(each => each.id))
  expect(menu.map(each => each.id)).toEqual([
    'dashboardGroup',
    'settingGroup',
    'billingGroup',
    'usageGroup',
  ])
  expect(findMenuItem('/panel/token')?.parent).toBe('account')
  expect(findMenuItem('/panel/conformance')?.parent).toBe('dashboardGroup')
})
