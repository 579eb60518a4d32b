import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyProject } from '../harness/process/project-copy.ts'
import { runMutationTest, type TestResult, tryMutation } from '../security/mutation-runs/run.ts'
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
    const result = results.get(key) ?? runMutationTest(project, mutation)
    results.set(key, result)
    return result
  }
}

const withGuard = (result: TestResult) => `${result.toUpperCase()} WITH THE GUARD`
