// The programs of a checkout: one row for each script of package.json. Their tests compare both lists.
import { serverPrograms } from '../../apps/server/src/lib/command-line/programs.mjs'
import { suites } from './testing/suites.mjs'

const suitesOf = tier =>
  suites
    .filter(each => each.tier === tier)
    .map(({ name }) => name)
    .join(', ')
const testWords = tier => ({
  ...{ shown: 'suites or test files', min: 0, max: 99 },
  does: `suites (${suitesOf('test')}, ${suitesOf('all')}), test files or folders; absent: ${suitesOf(tier)}`,
})
const refused = { 2: 'a word or option is unknown; nothing was done' }
const exitCodes = { 0: 'done', 1: 'failed; the reason is above', ...refused }
const number = (fallback, does) => ({
  ...{ type: 'string', shown: 'number', fallback: String(fallback) },
  does: `${does} (${fallback})`,
})
const names = (oneOf, does) => ({
  ...{ type: 'string', shown: 'names', oneOf, fallback: oneOf.join(',') },
  does: `${does}, separated by commas: ${oneOf.join(', ')} (all)`,
})
const flag = does => ({ type: 'boolean', does })

export const programs = {
  ...serverPrograms,
  start: {
    ...serverPrograms.start,
    does: 'Installs what is missing, builds what is stale, and starts the server. Its configuration is in environment variables, see README.md.',
  },
  dev: {
    name: 'dev',
    does: 'Starts server and console with reload. PORT (3000) and CONSOLE_PORT (5173, or the next free one) choose their ports.',
    examples: [['', 'serves until Ctrl-C']],
    exitCodes,
  },
  demo: {
    name: 'demo',
    does: 'Fills a data folder of its own with a month of invented traffic, and serves it on this machine only. DEMO_DIR (./demo-data) and PORT (3000; 0 for a free one) choose folder and port. With DATABASE_URL it fills a PostgreSQL database that is empty or its own.',
    options: {
      fresh: flag('fills the folder anew'),
      'fill-only': flag('fills, and does not serve'),
      'no-live': flag('serves without new calls'),
    },
    examples: [
      ['', 'fills once, serves until Ctrl-C'],
      ['--fresh', 'with data that end now'],
    ],
    exitCodes,
  },
  build: {
    name: 'build',
    does: 'Builds what is served in production: the console and the bundle of the server.',
    examples: [['', 'builds what is stale']],
    exitCodes,
  },
  release: {
    name: 'release',
    does: 'Writes one archive that runs without npm, its checksum and the list of its packages into release/.',
    options: {
      folder: {
        ...{ type: 'string', shown: 'path' },
        does: 'writes the installation into this folder instead, as the container image needs it',
      },
    },
    examples: [
      ['', 'writes release/one-hub-linux-x64.tar.gz'],
      ['--folder /opt/one-hub', 'writes a folder'],
    ],
    exitCodes,
  },
  check: {
    name: 'check',
    does: 'Checks format, types, the lock file and the architecture.',
    examples: [['', 'prints each check, and the names of the failed ones']],
    exitCodes: { 0: 'clean', 1: 'not clean', ...refused },
  },
  test: {
    name: 'test',
    does: 'Tests every module in at most twelve minutes on two cores, and lists what it left out.',
    words: testWords('test'),
    examples: [
      ['', 'every module'],
      ['unit', 'one suite'],
      ['test/security/wire.test.ts', 'one file'],
    ],
    exitCodes: { 0: 'all passed', 1: 'a test failed', ...refused },
  },
  'test:all': {
    name: 'test:all',
    does: 'Runs the tests that npm test leaves out: crashes, measures, clients and the browser.',
    words: testWords('all'),
    examples: [
      ['', 'all of them, as CI does after npm test'],
      ['browser', 'one suite'],
    ],
    exitCodes: { 0: 'all passed', 1: 'a test failed', ...refused },
  },
  'test:long': {
    name: 'test:long',
    does: 'Runs grids, kills, clients and mutations in full, with many more crashes, operations and faults.',
    options: {
      part: {
        ...{ type: 'string', shown: 'name', multiple: true },
        does: 'one part, repeatable; absent: all. An unknown name lists them',
      },
      rounds: number(500, 'kills of each engine in the part crash'),
      minutes: number(30, 'length of the load with faults'),
      operations: number(1_000_000, 'ledger operations on each engine'),
      seed: {
        type: 'string',
        shown: 'number',
        does: 'of the random choices; absent: by the clock',
      },
      engine: {
        ...{ type: 'string', shown: 'name', oneOf: ['SQLite', 'PostgreSQL'] },
        does: 'SQLite or PostgreSQL; absent: both',
      },
    },
    examples: [
      ['', 'everything, for hours'],
      ['--part crash --engine SQLite --seed 17 --rounds 1', 'repeats one crash'],
    ],
    exitCodes: { 0: 'sound', 1: 'a part failed', ...refused },
  },
  bench: {
    name: 'bench',
    does: 'Measures what a call costs, in multiples of a bare pipe. Nothing else should run on the machine.',
    options: {
      quick: flag('one short round'),
      only: { type: 'string', shown: 'names', does: 'workloads, separated by commas; absent: all' },
      targets: names(['pipe', 'sqlite', 'postgres'], 'what is measured'),
      rounds: number(5, 'rounds'),
    },
    examples: [
      ['', 'measures all, and writes docs/benchmarks.md'],
      ['--quick --targets pipe,sqlite', 'a short try'],
    ],
    exitCodes,
  },
  'bench:large': {
    name: 'bench:large',
    does: 'Measures a call, the lists and the console in Chromium with millions of rows.',
    options: {
      scale: number(1, 'share of the rows'),
      engines: names(['sqlite', 'postgres'], 'what is measured'),
      rounds: number(5, 'rounds'),
      seconds: number(5, 'length of each load'),
      calls: number(100, 'requests of each list'),
      logs: {
        type: 'string',
        shown: 'number',
        does: 'rows of the log; absent: by engine and scale',
      },
      audit: flag('audits the ledger, too'),
    },
    examples: [
      ['', 'measures all, and writes docs/benchmarks-large.md'],
      ['--scale 0.01', 'a small try'],
    ],
    exitCodes,
  },
  'bench:selector': {
    name: 'bench:selector',
    does: 'Compares the choice among 10,000 channels with that among 10.',
    examples: [['', 'prints both times']],
    exitCodes,
  },
  'bench:start': {
    name: 'bench:start',
    does: 'Measures how long a start takes, and how much memory the server holds at rest.',
    examples: [['', 'prints times and memory']],
    exitCodes,
  },
  'bench:console': {
    name: 'bench:console',
    does: 'Measures what each page of the console transfers, in Chromium, and writes docs/benchmarks-console.md.',
    examples: [['', 'measures every page']],
    exitCodes,
  },
  conformance: {
    name: 'conformance',
    does: 'Runs every caller × every upstream × every feature, and every provider, and writes their pages. Patterns run a part, which is written nowhere.',
    words: {
      ...{ shown: 'providers, or patterns of feature, caller, upstream', min: 0, max: 3 },
      does: 'providers: only the page of providers; else regular expressions',
    },
    examples: [
      ['', 'everything'],
      ['providers', 'the page of providers'],
      ['tools openai anthropic', 'one part'],
      ['mutations --help', 'about the check that mutations are noticed'],
    ],
    exitCodes,
  },
  'conformance mutations': {
    name: 'conformance mutations',
    command: 'npm run conformance -- mutations',
    does: 'Checks that mutated responses and sources are noticed by the conformance tests.',
    options: {
      answers: number(1000, 'mutated responses'),
      sources: number(200, 'mutated sources'),
      seed: number(1, 'of the random choices'),
    },
    examples: [['--answers 10 --sources 2', 'a small try']],
    exitCodes,
  },
  screenshots: {
    name: 'screenshots',
    does: 'Takes the pictures of the README from the demo in Chromium.',
    words: {
      ...{ shown: 'looks', min: 0, max: 12 },
      does: 'with --sheets: such as en_US-dark-768; absent: all twelve. A wrong one lists them. customer or administrator: as seen by these',
    },
    options: {
      sheets: flag('every page in twelve looks, into node_modules/.cache/contact-sheets, instead'),
    },
    examples: [
      ['', 'writes docs/images'],
      ['--sheets', 'every page in all looks'],
      ['--sheets en_US-dark-768', 'in one look'],
    ],
    exitCodes,
  },
}
