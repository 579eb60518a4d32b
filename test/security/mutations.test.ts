import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../harness/paths.ts'
import { securityMutations } from './mutations.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

it('every guard that a mutation takes out stands exactly once in its source', () => {
  const edits = securityMutations.flatMap(each => [each, ...(each.also ?? [])])
  const wrong = edits.filter(
    ({ file, find, replace }) => read(file).split(find).length !== 2 || find === replace,
  )
  expect(wrong).toEqual([])
})

it('every mutation names a test that exists, and that the security page cites for its line', () => {
  const page = read('docs/security.md').split('\n')
  const wrong = securityMutations.filter(({ id, test, title }) => {
    const cited = page.some(line => line.startsWith(`| ${id} |`) && line.includes(title))
    return !cited || !read(test).includes(title)
  })
  expect(wrong).toEqual([])
})
