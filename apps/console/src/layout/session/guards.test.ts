// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { wantedPath } from './guards.tsx'

it('after signing in one comes to where one wanted to go', () => {
  expect(wantedPath({ wanted: '/panel/log?page=2' })).toBe('/panel/log?page=2')
})

it('but never out of the console', () => {
  for (const wanted of [
    'https://evil.example',
    '//evil.example/panel',
    '/panelx',
    '/login',
    5,
    undefined,
  ])
    expect(wantedPath({ wanted })).toBe('/panel')
  expect(wantedPath(null)).toBe('/panel')
})
