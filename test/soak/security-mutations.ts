import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyProject, failsInCopy } from '../harness/process/project-copy.ts'
import { type SecurityMutation, securityMutations } from '../security/mutations.ts'
import type { Part } from './part.ts'

/** Takes each guard out of a copy of the project, one at a time. The test of the guard must fail then, and only then. */
export const securityMutationTests: Part = {
  name: 'security-mutations',
  title: 'Security tests fail without their guards',
  intro:
    'Each guard is taken out of a copy of the project, and the test that `docs/security.md` cites must fail.',
  columns: ['Id', 'Source', 'Test', 'Result'],
  run: async () => {
    const ids = process.env.HUB_MUTATIONS?.split(',')
    const chosen = securityMutations.filter(({ id }) => ids?.includes(id) ?? true)
    const folder = mkdtempSync(join(tmpdir(), 'hub-mutants-'))
    try {
      const project = copyProject(folder)
      const rows: string[][] = []
      for (const mutation of chosen) {
        const { id, file, title } = mutation
        const result = await tryMutation(project, mutation)
        console.log(`${id} ${title}: ${result}`)
        rows.push([id, file, title, result])
      }
      return { rows, isSound: rows.every(each => each.at(-1) === 'noticed') }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const tryMutation = async (project: string, mutation: SecurityMutation): Promise<string> => {
  const { test, title, also = [] } = mutation
  const before = await runTest(project, test, title)
  if (before !== 'passed') return `${before.toUpperCase()} WITH THE GUARD`
  const undo = [mutation, ...also].map(({ file, find, replace }) => {
    const path = join(project, file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      source.replace(find, () => replace),
    )
    return () => writeFileSync(path, source)
  })
  try {
    const after = await runTest(project, test, title)
    return after === 'failed' ? 'noticed' : `${after.toUpperCase()} WITHOUT THE GUARD`
  } finally {
    for (const each of undo.reverse()) each()
  }
}

/** `broken`: no test ran, so that its failure says nothing about the guard. */
const runTest = async (
  project: string,
  test: string,
  title: string,
): Promise<'passed' | 'failed' | 'broken'> => {
  const suite = /^test\/(security|end-to-end)\//.exec(test)?.[1] ?? 'unit'
  const pattern = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const output = join(project, 'test-result.json')
  rmSync(output, { force: true })
  const report = ['--reporter', 'json', '--outputFile', output]
  const words = ['run', '--project', suite, ...report, test, '-t', pattern]
  await failsInCopy(project, ['node_modules/vitest/vitest.mjs', ...words])
  if (!existsSync(output)) return 'broken'
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(output, 'utf8'))
  if (numFailedTests > 0) return 'failed'
  return numPassedTests > 0 ? 'passed' : 'broken'
}
