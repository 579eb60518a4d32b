import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './harness/paths.ts'

const folder = 'test/e2e'
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** `…` stands for the rest of a title, and a quoted text after it for a step of the case. */
const beginningOf = (title: string) => title.replace(/ "[^"]*"$/, '').replace(/ ?….*$/, '')

it('every sentence of the specification names a case that exists', () => {
  const rows = read(`${folder}/PRODUCT.md`)
    .split('\n')
    .filter(line => line.startsWith('| ') && !line.startsWith('| Sentence'))
    .map(line => line.split(' | '))
  expect(rows.length).toBeGreaterThan(80)
  const missing = rows.flatMap(([sentence, titles = '', files = '']) => {
    const paths = [...files.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path)
    const sources = paths.map(path => read(path.includes('/') ? path : `${folder}/${path}`))
    const isThere = (title: string) => sources.some(each => each.includes(beginningOf(title)))
    return titles
      .split('; ')
      .filter(title => !isThere(title))
      .map(title => `${sentence}: ${title}`)
  })
  expect(missing).toEqual([])
})
