// The suites of `npm test` and `npm run test:all`, and their requirements on the machine.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../node.mjs'

/**
 * Suites run in this order: those that fail quickly come first. `tier`: the command that runs the suite by default.
 * `whole`: the suite starts the product as its users get it, so the console is built first. `workers`: files at once, more
 * than cores, since many wait for processes and time limits. `measures` runs its files one by one: they measure memory
 * and time.
 */
export const suites = [
  { tier: 'test', name: 'unit', projects: ['unit', 'console'], workers: 4 },
  {
    tier: 'test',
    name: 'end-to-end',
    projects: ['end-to-end', 'security'],
    whole: true,
    workers: 4,
  },
  { tier: 'all', name: 'all', projects: ['all'], whole: true, workers: 4 },
  { tier: 'all', name: 'measures', projects: ['measures'], whole: true, workers: 1 },
  { tier: 'all', name: 'browser', browser: true, whole: true },
]

const debianPostgres = '/usr/lib/postgresql'

const hasPostgres = () =>
  existsSync(debianPostgres) &&
  readdirSync(debianPostgres).some(each => existsSync(`${debianPostgres}/${each}/bin/initdb`))

export const isInstalled = program =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin'].some(each => existsSync(`${each}/${program}`))

const hasRedis = () => isInstalled('redis-server') || isInstalled('valkey-server')

export const chromium = () =>
  [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find(each => each && existsSync(each))

/** The parts that depend on the machine, each with the suites that it belongs to. */
const requirements = [
  {
    part: 'everything on PostgreSQL',
    suites: ['unit', 'end-to-end', 'all', 'measures'],
    has: hasPostgres,
    reason: '`postgresql` of Debian is not installed',
  },
  {
    part: 'everything with Redis',
    suites: ['unit', 'end-to-end', 'all'],
    has: hasRedis,
    reason: '`redis-server` is not installed',
  },
  {
    part: 'imports from MariaDB',
    suites: ['unit'],
    has: () => isInstalled('mariadbd'),
    reason: '`mariadb-server` is not installed',
  },
  {
    part: 'texts of invoices as PDF',
    suites: ['unit', 'browser'],
    has: () => isInstalled('pdftotext'),
    reason: '`poppler-utils` is not installed',
  },
  {
    part: 'recorded responses of vendors',
    suites: ['unit'],
    has: () => existsSync(join(root, '../shared/fixtures')),
    reason: '`../shared/fixtures` does not exist',
  },
  {
    part: 'the console in a browser',
    suites: ['browser'],
    has: () => chromium() !== undefined,
    reason: '`chromium` is not installed, and CHROMIUM names none',
  },
]

/** One sentence for each part of these suites that this machine cannot run. */
export const leftOut = names =>
  requirements
    .map(each => ({ ...each, concerned: each.suites.filter(name => names.includes(name)) }))
    .filter(({ concerned, has }) => concerned.length > 0 && !has())
    .map(
      ({ part, reason, concerned }) =>
        `${part}, because ${reason}; then run: npm test -- ${concerned.join(' ')}`,
    )
