// npm test: installs if needed, runs every suite that this machine can run, and lists the others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildAll } from './lib/build.mjs'
import { install } from './lib/installed.mjs'
import { root } from './lib/node.mjs'
import { chromium, leftOut, suites } from './lib/suites.mjs'
import { tool } from './lib/tool.mjs'

const only = process.argv.slice(2)
const chosen = suites.filter(each => only.length === 0 || only.includes(each.name))
const reports = mkdtempSync(join(tmpdir(), 'hub-reports-'))
const total = { passed: 0, failed: 0, skipped: 0 }
const broken = []
/** Listed again at the very end, since a long log is often read from there. */
const failures = []

const add = ({ passed, failed, skipped }) => {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
}

/** Tests run on SQLite and PostgreSQL here. A single `vitest run` uses SQLite only, see apps/server/test/postgres.ts. */
const everyEngine = { ENGINES: 'all' }

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

/** One line for each failed test or file of a Vitest report: file, title, and the first line of the error. */
const failedTests = ({ testResults }) =>
  testResults
    .filter(file => file.status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(each => each.status === 'failed')
      const lines = failed.map(each => [each.fullName, firstLineOf(each.failureMessages?.[0])])
      return (lines.length ? lines : [['could not be loaded', firstLineOf(message)]]).map(line =>
        [relative(root, name), ...line].join(': '),
      )
    })

const vitest = async ({ name, projects, workers }) => {
  const file = join(reports, `${name}.json`)
  const code = await tool(
    'vitest',
    [
      'run',
      ...projects.flatMap(each => ['--project', each]),
      '--passWithNoTests=false',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      `--maxWorkers=${workers}`,
    ],
    everyEngine,
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
        return [file, title, firstLineOf(error?.message)].join(': ')
      }),
    ...failedSpecs(part),
  ])

const playwright = async ({ name }) => {
  const file = join(reports, `${name}.json`)
  const code = await tool('playwright', ['test', '--config', 'test/e2e/playwright.config.ts'], {
    ...everyEngine,
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

const runSuite = async suite => {
  const since = Date.now()
  if (suite.browser && !chromium()) return
  if (suite.whole) await buildAll()
  if (suite.whole) process.env.HUB_BUNDLE = '1'
  const run = suite.browser ? playwright : vitest
  const { code, counts, slowest = [], failed = [] } = await run(suite)
  failures.push(...failed)
  add(counts ?? { passed: 0, failed: 1, skipped: 0 })
  if (code !== 0 || !counts || counts.passed === 0) broken.push(suite.name)
  console.log(`\n${suite.name}: ${Math.round((Date.now() - since) / 1000)} s`)
  console.log([...slowest, ''].join('\n'))
}

await install()
for (const suite of chosen) await runSuite(suite)
rmSync(reports, { recursive: true, force: true })

const missing = leftOut()
for (const each of missing) console.log(`Left out: ${each}.`)
if (process.env.CI && missing.length) broken.push('CI runs everything')
for (const each of failures) console.log(`Failed test: ${each}`)
if (broken.length) console.log(`Failed: ${broken.join(', ')}.`)
process.exitCode = broken.length ? 1 : 0
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
