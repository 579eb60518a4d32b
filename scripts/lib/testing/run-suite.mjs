// Runs one suite with Vitest or Playwright, and reads its report.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../node.mjs'
import { tool } from '../tool.mjs'
import { hasSecondTry } from './second-try.mjs'
import { chromium } from './suites.mjs'

const reports = mkdtempSync(join(tmpdir(), 'hub-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))

/**
 * Tests run on SQLite and PostgreSQL here. A single `vitest run` uses SQLite only, see apps/server/test/postgres.ts.
 * The architecture is left to `npm run check`.
 */
const environment = { ENGINES: 'all', WITHOUT_ARCHITECTURE: '1' }

/** A runner that ended without a report has failed, whatever it counted. */
const reportOf = (file, read) => {
  try {
    return read(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

const slowestMax = 6

/** One line for each of the files that took longest: where to look when the suite takes too long. */
const slowestFiles = ({ testResults }) =>
  testResults
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, slowestMax)
    .map(({ name, seconds }) => `  ${seconds.toFixed(0).padStart(4)} s  ${relative(root, name)}`)

const firstLineOf = text => (text ?? '').split('\n', 1)[0].slice(0, 300)

/** The failed tests and files of a Vitest report, each with the first line of its error. */
const failedTests = ({ testResults }) =>
  testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      if (failed.length === 0)
        return [{ file, title: 'could not be loaded', error: firstLineOf(message) }]
      return failed.map(({ fullName, failureMessages }) => ({
        file,
        title: fullName,
        error: firstLineOf(failureMessages?.[0]),
      }))
    })

const vitest = async ({ projects, workers, files = [] }, file) => ({
  code: await tool(
    'vitest',
    [
      'run',
      ...files,
      ...projects.flatMap(each => ['--project', each]),
      '--passWithNoTests=false',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      `--maxWorkers=${workers}`,
    ],
    environment,
  ),
  slowest: reportOf(file, slowestFiles),
  failed: reportOf(file, failedTests),
  counts: reportOf(file, each => ({
    passed: each.numPassedTests,
    // A file that could not even be loaded has no tests to count.
    failed:
      each.numFailedTests +
      each.testResults.filter(
        suite => suite.status === 'failed' && suite.assertionResults.length === 0,
      ).length,
    skipped: each.numPendingTests + (each.numTodoTests ?? 0),
  })),
})

/** Failures of a Playwright report, whose suites hold specs and further suites. */
const failedSpecs = ({ suites = [] }) =>
  suites.flatMap(part => [
    ...(part.specs ?? [])
      .filter(spec => !spec.ok)
      .map(({ file, title, tests }) => {
        const error = tests.flatMap(each => each.results).find(each => each.error)?.error
        return { file, title, error: firstLineOf(error?.message) }
      }),
    ...failedSpecs(part),
  ])

const playwright = async ({ files = [] }, file) => ({
  code: await tool('playwright', ['test', ...files, '--config', 'test/e2e/playwright.config.ts'], {
    ...environment,
    CHROMIUM: chromium(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  }),
  failed: reportOf(file, failedSpecs),
  counts: reportOf(file, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  })),
})

const textOf = ({ file, title, error }) => [file, title, error].join(': ')

let runs = 0

const runOnce = suite => {
  runs += 1
  const file = join(reports, `${runs}.json`)
  return suite.browser ? playwright(suite, file) : vitest(suite, file)
}

/**
 * Runs a suite, and once more the files of failures that may be an accident of the machine. Returns its counts, its
 * failures, and the tests that passed at their second try.
 */
export const runSuite = async suite => {
  const first = await runOnce(suite)
  const { code, counts, failed = [], slowest = [] } = first
  const lines = failed.map(textOf)
  const isBroken = code !== 0 || !counts || counts.passed === 0
  const result = { counts, isBroken, slowest, failures: lines, flaky: [] }
  if (code === 0 || !counts || !hasSecondTry(failed)) return result
  const files = [...new Set(failed.map(({ file }) => file))]
  console.log(`\nA second try, alone: ${files.join(', ')}`)
  const second = await runOnce({ ...suite, workers: 1, files })
  if (second.code !== 0) return result
  const passed = counts.passed + counts.failed
  return {
    ...{ slowest, isBroken: false, failures: [], flaky: lines },
    counts: { ...counts, passed, failed: 0 },
  }
}
