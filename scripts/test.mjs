// npm test: installs if needed, runs every suite that this machine can run, and lists the others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readCommandLine } from '../apps/server/src/lib/command-line/read.mjs'
import { buildAll } from './lib/build.mjs'
import { installWithTests } from './lib/installed.mjs'
import { root } from './lib/node.mjs'
import { programs } from './lib/programs.mjs'
import { hasSecondTry } from './lib/testing/second-try.mjs'
import { chromium, leftOut, suites } from './lib/testing/suites.mjs'
import { tool } from './lib/tool.mjs'

const { words: only } = readCommandLine(programs.test)
const chosen = suites.filter(each => only.length === 0 || only.includes(each.name))
const reports = mkdtempSync(join(tmpdir(), 'hub-reports-'))
const total = { passed: 0, failed: 0, skipped: 0 }
const broken = []
/** Listed again at the very end, since a long log is often read from there. */
const failures = []
/** Failed once, and passed alone: a fault of the test or of the product that wants to be found. */
const flaky = []

const add = ({ passed, failed, skipped }) => {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

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

/** Runs the given files of a suite; without any, all. */
const vitest = async ({ name, projects, workers }, files = []) => {
  const file = join(reports, `${name}.json`)
  const code = await tool(
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
  )
  return {
    code,
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
  }
}

/** The same for a Playwright report, whose suites hold specs and further suites. */
const failedSpecs = ({ suites: parts = [] }) =>
  parts.flatMap(part => [
    ...(part.specs ?? [])
      .filter(spec => !spec.ok)
      .map(({ file, title, tests }) => {
        const error = tests.flatMap(each => each.results).find(each => each.error)?.error
        return { file, title, error: firstLineOf(error?.message) }
      }),
    ...failedSpecs(part),
  ])

const playwright = async ({ name }, files = []) => {
  const file = join(reports, `${name}.json`)
  const config = 'test/e2e/playwright.config.ts'
  const code = await tool('playwright', ['test', ...files, '--config', config], {
    ...environment,
    CHROMIUM: chromium(),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  })
  return {
    code,
    failed: reportOf(file, failedSpecs),
    counts: reportOf(file, ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    })),
  }
}

const textOf = ({ file, title, error }) => [file, title, error].join(': ')

/** Runs a suite, and once more the files of failures that may be an accident of the machine. */
const runTwice = async (run, suite) => {
  const first = await run(suite)
  const { code, counts, failed = [] } = first
  if (code === 0 || !counts || !hasSecondTry(failed)) return first
  const files = [...new Set(failed.map(({ file }) => file))]
  console.log(`\nA second try, alone: ${files.join(', ')}`)
  const second = await run({ ...suite, workers: 1 }, files)
  if (second.code !== 0) return first
  flaky.push(...failed.map(textOf))
  return {
    ...first,
    code: 0,
    failed: [],
    counts: { ...counts, passed: counts.passed + counts.failed, failed: 0 },
  }
}

const runSuite = async suite => {
  const since = Date.now()
  if (suite.browser && !chromium()) return
  if (suite.whole) await buildAll()
  if (suite.whole) process.env.HUB_BUNDLE = '1'
  const {
    code,
    counts,
    slowest = [],
    failed = [],
  } = await runTwice(suite.browser ? playwright : vitest, suite)
  failures.push(...failed.map(textOf))
  add(counts ?? { passed: 0, failed: 1, skipped: 0 })
  if (code !== 0 || !counts || counts.passed === 0) broken.push(suite.name)
  console.log(`\n${suite.name}: ${Math.round((Date.now() - since) / 1000)} s`)
  console.log([...slowest, ''].join('\n'))
}

await installWithTests()
for (const suite of chosen) await runSuite(suite)
rmSync(reports, { recursive: true, force: true })

const missing = leftOut()
for (const each of missing) console.log(`Left out: ${each}.`)
if (process.env.CI && missing.length) broken.push('CI runs everything')
for (const each of flaky) console.log(`Flaky test, passed at its second try: ${each}`)
for (const each of failures) console.log(`Failed test: ${each}`)
if (broken.length) console.log(`Failed: ${broken.join(', ')}.`)
process.exitCode = broken.length ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
