import { spawnSync } from 'node:child_process'
import { matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import { choose } from '../scripts/lib/testing/choose.mjs'
import config from '../vitest.config.ts'
import { filesIn, isTest, root } from './architecture/tree.ts'

const suitesOf = (...words: string[]) => {
  const { chosen, unknown } = choose(words, 'test')
  return [chosen.map(({ name }) => name), unknown]
}

describe('npm test', () => {
  it('runs the suites of its tier, and those of the other tier by their names', () => {
    expect(suitesOf()).toEqual([['unit', 'end-to-end'], []])
    expect(choose([], 'all').chosen.map(({ name }) => name)).toEqual(['all', 'measures', 'browser'])
    expect(suitesOf('measures', 'unit')).toEqual([['unit', 'measures'], []])
  })

  it('runs named files and folders alone, with the product built only for tests that start it', () => {
    const unit = 'test/second-try.test.ts'
    const security = 'test/security/wire.test.ts'
    const browser = 'test/e2e/money.spec.ts'
    expect(choose([unit], 'test').chosen).toMatchObject([{ files: [unit], whole: false }])
    expect(choose([security], 'test').chosen).toMatchObject([{ files: [security], whole: true }])
    expect(choose([browser], 'test').chosen).toMatchObject([{ files: [browser], browser: true }])
    expect(suitesOf('packages/dialects/src')).toEqual([['packages/dialects/src'], []])
  })

  it('refuses words that name no suite and no test file', () => {
    const words = ['nonsense', 'test/none.test.ts', 'package.json', '..', '--bail']
    expect(suitesOf('unit', ...words)).toEqual([['unit'], words])
  })

  it('ends with an error that lists the suites when a word is unknown', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/test.mjs', 'test', 'nonsense'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    )
    expect(status).toBe(2)
    expect(stderr).toBe(
      'There is no suite and no test file nonsense. The suites are unit, end-to-end, all, measures, browser.\n',
    )
  })
})

it('every test file belongs to one project, and every project to one suite', () => {
  const projects = (config.test?.projects ?? []).map(each => (each as typeof config).test!)
  const files = ['apps', 'packages', 'test', 'scripts', 'bench'].flatMap(filesIn).filter(isTest)
  const owners = files
    .filter(path => !path.endsWith('.spec.ts') && path !== 'test/architecture.test.ts')
    .map(path => [
      path,
      projects.filter(
        ({ include = [], exclude = [] }) =>
          include.some(each => matchesGlob(path, each)) &&
          !exclude.some(each => matchesGlob(path, each)),
      ).length,
    ])
  expect(owners.filter(([, count]) => count !== 1)).toEqual([])
  const run = (['test', 'all'] as const).flatMap(tier => choose([], tier).chosen)
  expect(run.flatMap(({ projects = [] }) => projects).toSorted()).toEqual(
    projects.map(({ name }) => name).toSorted(),
  )
})
