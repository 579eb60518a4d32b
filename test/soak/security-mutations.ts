import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyProject, failsInCopy } from '../harness/process/project-copy.ts'
import { type SecurityMutation, securityMutations } from '../security/mutations/index.ts'
import type { Part } from './part.ts'

/** Takes each guard out of a copy of the project, one at a time. The test of the guard must fail then, and only then. */
export const securityMutationTests: Part = {
  name: 'security-mutations',
  title: 'Security tests fail without their guards',
  intro:
    'Each guard is taken out of a copy of the project, and the test that `docs/security.md` or `docs/ledger.md` cites must fail.',
  columns: ['Lines', 'Source', 'Test', 'Seconds', 'Result'],
  run: async () => {
    const ids = process.env.HUB_MUTATIONS?.split(',')
    const chosen = securityMutations.filter(mutation =>
      ids ? mutation.ids.some(id => ids.includes(id)) : true,
    )
    const folder = mkdtempSync(join(tmpdir(), 'hub-mutants-'))
    try {
      const project = copyProject(folder)
      const passes = makeBaseline(project)
      const rows: string[][] = []
      for (const mutation of chosen) {
        const { file, title } = mutation
        const ids = mutation.ids.join(' ')
        const passed = await passes(mutation)
        const since = performance.now()
        const result =
          passed === 'passed' ? await tryMutation(project, mutation) : withGuard(passed)
        const seconds = Math.round((performance.now() - since) / 1_000)
        console.log(`${ids} ${title}: ${result}, ${seconds} s`)
        rows.push([ids, file, title, String(seconds), result])
      }
      return { rows, isSound: rows.every(each => each.at(-1) === 'noticed') }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** Runs each test once with all guards, however many mutations it must notice. */
const makeBaseline = (project: string) => {
  const results = new Map<string, Promise<TestResult>>()
  return (mutation: SecurityMutation): Promise<TestResult> => {
    const { test, title, engine = '' } = mutation
    const key = `${test} ${title} ${engine}`
    const result = results.get(key) ?? runTest(project, mutation)
    results.set(key, result)
    return result
  }
}

const withGuard = (result: TestResult) => `${result.toUpperCase()} WITH THE GUARD`

const tryMutation = async (project: string, mutation: SecurityMutation): Promise<string> => {
  const undo = [mutation, ...(mutation.also ?? [])].map(({ file, find, replace }) => {
    const path = join(project, file)
    const source = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      source.replace(find, () => replace),
    )
    return () => writeFileSync(path, source)
  })
  try {
    const after = await runTest(project, mutation)
    return after === 'failed' ? 'noticed' : `${after.toUpperCase()} WITHOUT THE GUARD`
  } finally {
    for (const each of undo.reverse()) each()
  }
}

/** `broken`: no test ran, so that its failure says nothing about the guard. */
type TestResult = 'passed' | 'failed' | 'broken'

/** The project of `vitest.config.ts` that a test belongs to. */
const suiteOf = (test: string): string => {
  if (test.startsWith('apps/console/')) return 'console'
  if (test.startsWith('test/end-to-end/all/measures/')) return 'measures'
  if (test.includes('/all/')) return 'all'
  return /^test\/(security|end-to-end)\//.exec(test)?.[1] ?? 'unit'
}

/** Both engines are slower than one, and most guards are the same on each. */
const enginesOf = { postgres: { ENGINES: 'all', CI: '' }, sqlite: { ENGINES: '', CI: '' } }

const runTest = async (
  project: string,
  { test, title, engine }: SecurityMutation,
): Promise<TestResult> => {
  // The names of a table of tests have values in the place of `%s`.
  const pattern = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('%s', '.*')
  const output = join(project, 'test-result.json')
  rmSync(output, { force: true })
  const report = ['--reporter', 'json', '--outputFile', output]
  const words = ['run', '--project', suiteOf(test), ...report, test, '-t', pattern]
  await failsInCopy(
    project,
    ['node_modules/vitest/vitest.mjs', ...words],
    enginesOf[engine ?? 'sqlite'],
  )
  if (!existsSync(output)) return 'broken'
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(output, 'utf8'))
  if (numFailedTests > 0) return 'failed'
  return numPassedTests > 0 ? 'passed' : 'broken'
}
