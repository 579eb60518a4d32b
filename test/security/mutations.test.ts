import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../harness/paths.ts'
import { linesWithoutGuard, securityMutations } from './mutations/index.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** The tests that a line of the two pages cites, or `later:` and a reason. */
const evidence = new Map(
  ['docs/security.md', 'docs/ledger.md'].flatMap(page =>
    [...read(page).matchAll(/^\| ([SCL]\d+) \| .*? \| (.*) \|$/gm)].map(
      ([, id = '', text = '']) => [id, text] as const,
    ),
  ),
)

it('every line of the security page and every guard of the ledger that cites a test has a mutation, or a reason to have none', () => {
  const cited = [...evidence].filter(([, text]) => text.includes('“')).map(([id]) => id)
  const covered = securityMutations.flatMap(({ ids }) => ids)
  const known = [...covered, ...Object.keys(linesWithoutGuard)]
  expect(cited.filter(id => !known.includes(id))).toEqual([])
  expect(Object.keys(linesWithoutGuard).filter(id => covered.includes(id))).toEqual([])
})

it('every guard that a mutation takes out stands exactly once in its source', () => {
  const edits = securityMutations.flatMap(each => [each, ...(each.also ?? [])])
  const wrong = edits.filter(
    ({ file, find, replace }) => read(file).split(find).length !== 2 || find === replace,
  )
  expect(wrong).toEqual([])
})

it('every mutation names a test that exists, and that the page cites for its lines', () => {
  const wrong = securityMutations.filter(({ ids, test, title }) => {
    const cited = ids.every(id => evidence.get(id)?.includes(title))
    const source = read(test).replaceAll("\\'", "'")
    return ids.length === 0 || !cited || !source.includes(title)
  })
  expect(wrong).toEqual([])
})
