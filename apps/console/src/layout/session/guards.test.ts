// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { returnPath } from './guards.tsx'

it('sign-in returns to the requested page', () => {
  expect(returnPath({ returnTo: '/panel/log?page=2' })).toBe('/panel/log?page=2')
})

it('sign-in never redirects out of the console', () => {
  for (const returnTo of [
    'https://evil.example',
    '//evil.example/panel',
    '/panelx',
    '/login',
    5,
    undefined,
  ])
    expect(returnPath({ returnTo })).toBe('/panel')
  expect(returnPath(null)).toBe('/panel')
})
