// @vitest-environment happy-dom
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import { pagesOf } from '../preloads.ts'
import { routes } from './routes.tsx'

const pathsOf = (children: readonly RouteObject[], base = ''): string[] =>
  children.flatMap(({ path, index, children: below }) => {
    if (below) return pathsOf(below, path ? `${base}/${path}` : base)
    return index ? [base || '/'] : [`${base}/${path}`]
  })

it('the build finds the module of every page, so that it is loaded before the first script runs', () => {
  const pages = pagesOf(readFileSync(join(import.meta.dirname, 'routes.tsx'), 'utf8'))
  const paths = pathsOf(routes).filter(path => !path.endsWith('*'))
  expect(Object.keys(pages).sort()).toEqual(paths.sort())
  expect(pages['/login']).toEqual({ module: 'features/sign-in/page.tsx', texts: ['public'] })
  expect(pages['/panel']).toEqual({ module: 'start.tsx', texts: ['public', 'console'] })
  expect(pages['/panel/simulator']?.texts).toEqual(['public', 'console', 'simulator', 'logs'])
})
