import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failsInCopy } from '../../harness/process/project-copy.ts'
import type { SecurityMutation } from '../mutations/mutation.ts'

/** `broken`: no test ran, so that its failure says nothing about the guard. */
export type TestResult = 'passed' | 'failed' | 'broken'

/** Takes the guard out of the copy, runs its test, and puts the guard back. `noticed`: the test failed. */
export const tryMutation = async (project: string, mutation: SecurityMutation): Promise<string> => {
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
    const after = await runMutationTest(project, mutation)
    return after === 'failed' ? 'noticed' : `${after.toUpperCase()} WITHOUT THE GUARD`
  } finally {
    for (const each of undo.reverse()) each()
  }
}

/** The project of `vitest.config.ts` that a test belongs to. */
const suiteOf = (test: string): string => {
  if (test.startsWith('apps/console/')) return 'console'
  if (test.startsWith('test/end-to-end/all/measures/')) return 'measures'
  if (test.includes('/all/')) return 'all'
  return /^test\/(security|end-to-end)\//.exec(test)?.[1] ?? 'unit'
}

/** Both engines are slower than one, and most guards are the same on each. */
const enginesOf = { postgres: { ENGINES: 'all', CI: '' }, sqlite: { ENGINES: '', CI: '' } }

/** The copy runs its sources: a bundle has the guard that the source lacks. */
const fromSources = { HUB_BUNDLE: '', WITHOUT_ARCHITECTURE: '' }

export const runMutationTest = async (
  project: string,
  { test, title, engine }: SecurityMutation,
): Promise<TestResult> => {
  // The names of a table of tests have values in the place of `%s` and `%i`.
  const pattern = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/%[a-z]/g, '.*')
  const output = join(project, 'test-result.json')
  rmSync(output, { force: true })
  const report = ['--reporter', 'json', '--outputFile', output]
  const words = ['run', '--project', suiteOf(test), ...report, test, '-t', pattern]
  await failsInCopy(project, ['node_modules/vitest/vitest.mjs', ...words], {
    ...fromSources,
    ...enginesOf[engine ?? 'sqlite'],
  })
  if (!existsSync(output)) return 'broken'
  const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(output, 'utf8'))
  if (numFailedTests > 0) return 'failed'
  return numPassedTests > 0 ? 'passed' : 'broken'
}
