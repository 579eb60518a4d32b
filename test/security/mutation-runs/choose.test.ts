import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { SecurityMutation } from '../mutations/mutation.ts'
import { readChanges } from './changes.ts'
import { chooseMutations } from './choose.ts'

const folders: string[] = []
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-changes-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
const git = (folder: string, ...words: string[]): string =>
  execFileSync('git', ['-C', folder, ...identity, ...words], { encoding: 'utf8', stdio: 'pipe' })

const write = (folder: string, file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

let edits = 0
const commit = (folder: string, ...files: string[]): void => {
  edits += 1
  for (const each of files) write(folder, each, String(edits))
  git(folder, 'add', '.')
  git(folder, 'commit', '-m', `edit ${edits}`)
}

/** A repository whose first commit has every file, and three later ones. */
const repository = (): string => {
  const folder = newFolder()
  git(folder, 'init', '--initial-branch', 'main')
  commit(folder, 'a.ts', 'a.test.ts', 'b.ts', 'b.test.ts', 'never.ts', 'with space.ts', 'ü.ts')
  commit(folder, 'a.ts')
  commit(folder, 'b.test.ts', 'with space.ts', 'ü.ts')
  commit(folder, 'a.test.ts')
  return folder
}

const mutation = (file: string, test: string, title = file): SecurityMutation => ({
  ...{ ids: ['S1'], file, test, title, find: 'guard', replace: '' },
})
const titles = (list: readonly SecurityMutation[]): string[] => list.map(each => each.title)
const filesOf = (folder: string, commitsMax = 50) =>
  readChanges(folder, commitsMax).changes.map(each => each.files)

it('lists the files of each commit, the newest first, and not those of the commit without a parent', () => {
  const folder = repository()
  expect(readChanges(folder, 50).note).toBeUndefined()
  expect(filesOf(folder)).toEqual([['a.test.ts'], ['b.test.ts', 'with space.ts', 'ü.ts'], ['a.ts']])
  expect(filesOf(folder, 1)).toEqual([['a.test.ts']])
})

it('lists what is not committed before all commits', () => {
  const folder = repository()
  write(folder, 'never.ts', 'changed')
  expect(filesOf(folder)[0]).toEqual(['never.ts'])
})

it('lists the commits of a joined branch, and of the merge only what both sides have not', () => {
  const folder = repository()
  git(folder, 'checkout', '-b', 'side')
  commit(folder, 'b.ts')
  git(folder, 'checkout', 'main')
  commit(folder, 'never.ts')
  git(folder, 'merge', '--no-commit', 'side')
  commit(folder, 'a.ts')
  const [merge, ...others] = filesOf(folder)
  expect(merge).toEqual(['a.ts'])
  expect(others.slice(0, 2).flat().toSorted()).toEqual(['b.ts', 'never.ts'])
})

it('finds no change in a clone of depth 1, and the newer ones in a deeper one, and says so', () => {
  const folder = repository()
  const clone = (depth: number): string => {
    const target = join(newFolder(), 'clone')
    execFileSync('git', ['clone', '--depth', String(depth), `file://${folder}`, target], {
      stdio: 'pipe',
    })
    return target
  }
  const one = readChanges(clone(1), 50)
  expect(one.changes).toEqual([])
  expect(one.note).toContain('shallow')
  expect(filesOf(clone(2))).toEqual([['a.test.ts']])
})

it('finds no change without git, or without a commit, and says so', () => {
  const folder = newFolder()
  expect(readChanges(folder, 50)).toMatchObject({
    changes: [],
    note: expect.stringContaining('no git'),
  })
  git(folder, 'init')
  expect(readChanges(folder, 50)).toMatchObject({
    changes: [],
    note: expect.stringContaining('no git'),
  })
})

const mutations = [
  mutation('never.ts', 'never.test.ts'),
  mutation('a.ts', 'x.test.ts', 'the guarded file changed'),
  mutation('x.ts', 'b.test.ts', 'the test changed'),
  mutation('x.ts', 'b.test.ts', 'the test changed, a second guard of its file'),
  { ...mutation('y.ts', 'y.test.ts', 'a second edit changed'), also: [mutation('ü.ts', '')] },
  mutation('z.ts', 'a.test.ts', 'the newest change'),
]
const changes = readChanges(repository(), 50).changes

it('chooses the mutations whose guarded file or test changed, the newest change first', () => {
  const { chosen, leftOut } = chooseMutations(mutations, changes, 10)
  expect(titles(chosen)).toEqual([
    'the newest change',
    'the test changed',
    'a second edit changed',
    'the test changed, a second guard of its file',
    'the guarded file changed',
  ])
  expect(leftOut).toEqual([])
})

it('leaves out the older changes where there are too many, and names them', () => {
  const { chosen, leftOut } = chooseMutations(mutations, changes, 3)
  expect(titles(chosen)).toEqual(['the newest change', 'the test changed', 'a second edit changed'])
  expect(titles(leftOut)).toEqual([
    'the test changed, a second guard of its file',
    'the guarded file changed',
  ])
})

it('leaves tests of time and memory to the long run', () => {
  const slow = mutation('a.ts', 'test/end-to-end/all/measures/slow.test.ts', 'slow')
  const { chosen, leftOut } = chooseMutations([slow], changes, 3)
  expect([titles(chosen), titles(leftOut)]).toEqual([[], ['slow']])
})
