// The suites of `npm test`, and their requirements on the machine.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../node.mjs'

const debianPostgres = '/usr/lib/postgresql'

const hasPostgres = () =>
  existsSync(debianPostgres) &&
  readdirSync(debianPostgres).some(each => existsSync(`${debianPostgres}/${each}/bin/initdb`))

const hasRedis = () =>
  ['/usr/bin', '/usr/local/bin'].some(each => existsSync(`${each}/redis-server`))

export const chromium = () =>
  [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find(each => each && existsSync(each))

/** One sentence for each suite that this machine cannot run. */
export const leftOut = () => [
  ...(hasPostgres() ? [] : ['everything on PostgreSQL: Debian’s `postgresql` is not installed']),
  ...(hasRedis() ? [] : ['everything with Redis: `redis-server` is not installed']),
  ...(chromium()
    ? []
    : ['the console in a real browser: `chromium` is not installed (or set CHROMIUM)']),
  ...(existsSync(join(root, '../shared/fixtures'))
    ? []
    : ['recorded answers of vendors: `../shared/fixtures` is not there']),
  ...(existsSync('/usr/sbin/mariadbd') ? [] : ['imports from MariaDB: it is not installed']),
]

/**
 * In this order: what is quick to fail comes first. `whole`: the suite starts the product as its users get it, so the
 * console is built first. `workers`: files at once, more than cores, since many wait for processes and time limits.
 * `measures` runs its files one by one, since they measure memory and time.
 */
export const suites = [
  { name: 'unit', projects: ['unit', 'console'], workers: 3 },
  { name: 'end-to-end', projects: ['end-to-end', 'security'], whole: true, workers: 4 },
  { name: 'measures', projects: ['measures'], whole: true, workers: 1 },
  { name: 'e2e', browser: true, whole: true },
]
