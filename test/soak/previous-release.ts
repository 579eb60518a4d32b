import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ask } from '../harness/client.ts'
import type { Engine } from '../harness/engines.ts'
import { type Gateway, makeGateway } from '../harness/gateway.ts'
import { accountOf, databaseFile, query } from '../harness/ledger.ts'
import { root } from '../harness/paths.ts'
import { startTestHub, type TestHub } from '../harness/test-hub.ts'
import { guarded, type Part } from './part.ts'

/**
 * Starts the release before the newest migration on databases of today, of which two were changed further by a release
 * that does not exist yet.
 */
export const previousRelease: Part = {
  name: 'previous-release',
  title: 'REL-5: the previous release on the new schema',
  intro:
    'The commit before the newest migration, or `HUB_PREVIOUS_COMMIT`, starts on a database of this one, and on two that a later release has migrated.',
  columns: ['Engine', 'Previous release', 'Database', 'Expected', 'Result'],
  run: async ({ engines }) => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-previous-'))
    try {
      const previous = checkOut(folder)
      const rows: string[][] = []
      for (const engine of engines)
        for (const { name, expected, check } of scenarios) {
          const title = `${engine.name}, ${name}`
          const work = () => withDatabase(engine, previous.project, check)
          const result = await guarded(title, work, broken => broken.replaceAll(/[\n|]+/g, ' '))
          console.log(`${title}: ${result}`)
          rows.push([engine.name, previous.commit, name, expected, result])
        }
      return { rows, isSound: rows.every(each => each.at(-1) === 'as expected') }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

const migrationsFolder = 'apps/server/src/db/migrations'

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', words, { cwd, encoding: 'utf8' }).trim()

/** The commit before the migration with the highest number was added. */
const findPrevious = (): string => {
  const given = process.env.HUB_PREVIOUS_COMMIT
  if (given) return git(root, 'rev-parse', '--short', given)
  const newest = `${migrationsFolder}/${newestIn(root)}`
  const added = git(root, 'log', '-1', '--diff-filter=A', '--format=%H', '--', newest)
  return git(root, 'rev-parse', '--short', `${added}^`)
}

const newestIn = (project: string): string => {
  const names = readdirSync(join(project, migrationsFolder)).sort()
  return names.findLast(each => /^\d{4}-/.test(each)) ?? ''
}

/** The commit with its own workspaces, and with the packages of its own lock. */
const checkOut = (folder: string): { commit: string; project: string } => {
  const commit = findPrevious()
  const project = join(folder, 'main')
  git(root, 'clone', '--quiet', '--shared', '--no-checkout', root, project)
  git(project, 'checkout', '--quiet', '--detach', commit)
  const lockOf = (path: string) => readFileSync(join(path, 'package-lock.json'), 'utf8')
  if (lockOf(project) !== lockOf(root))
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project })
  else linkPackages(project)
  return { commit, project }
}

const linkPackages = (project: string): void => {
  const modules = join(project, 'node_modules')
  mkdirSync(join(modules, '@hub'), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@hub') symlinkSync(join(root, 'node_modules', name), join(modules, name))
  for (const name of readdirSync(join(project, 'packages')))
    symlinkSync(join(project, 'packages', name), join(modules, '@hub', name))
}

type Scene = {
  hub: TestHub
  person: { id: number; key: string }
  /** The previous release on the same data; not started yet. */
  previous: Gateway
}

/** A database that this release made and charged a call in. */
const withDatabase = async (
  engine: Engine,
  project: string,
  check: (scene: Scene) => Promise<void>,
): Promise<string> => {
  const hub = await startTestHub(engine)
  const { gateway } = hub
  const { dataDir, databaseUrl, masterKey, accessToken, rootKey, rootPassword } = gateway
  const secrets = { masterKey, accessToken, rootKey, rootPassword }
  const previous = makeGateway({ project, dataDir, databaseUrl, secrets })
  try {
    const person = await hub.admin.addPerson(1_000_000)
    await serve(gateway, person.key)
    await gateway.stop()
    await check({ hub, person, previous })
    return 'as expected'
  } finally {
    await previous.close()
    await hub.close()
  }
}

const serve = async ({ url }: Gateway, key: string): Promise<void> => {
  const seen = await ask({ url, key, model: 'any:in=10;out=5' })
  if (!seen.complete) throw new Error(`a call was answered with ${seen.status}: ${seen.text}`)
}

/** The previous release serves, and this one goes on after it with every charge. */
const serveInTurn = async ({ hub, person, previous }: Scene): Promise<void> => {
  await previous.start()
  await serve(previous, person.key)
  await previous.stop()
  await hub.gateway.start()
  await serve(hub.gateway, person.key)
  await hub.settled()
  const { used, held } = await accountOf(hub.gateway, person.id)
  if (used !== 45 || held !== 0) throw new Error(`three calls cost ${used}, and ${held} is held`)
  await hub.audit()
}

const laterMigration = '9999-later'

const addLaterMigration = async ({ hub }: Scene): Promise<void> => {
  await execute(
    hub.gateway,
    `insert into kysely_migration (name, timestamp) values ('${laterMigration}', '2026-12-01T00:00:00.000Z')`,
  )
  await execute(hub.gateway, 'alter table logs add column added_later text')
}

const execute = async (gateway: Gateway, sql: string): Promise<void> => {
  if (gateway.databaseUrl) return void (await query(gateway, sql))
  const db = new DatabaseSync(databaseFile(gateway.dataDir))
  db.exec(sql)
  db.close()
}

const refuseToStart = async ({ previous }: Scene): Promise<void> => {
  const number = newestIn(previous.project).slice(0, 4)
  const message = await previous.start().then(
    () => 'it started',
    error => String(error),
  )
  const sentence = `needs a release with migration ${laterMigration} or later; this one ends with ${number}`
  if (!message.includes(sentence)) throw new Error(`it did not name the versions: ${message}`)
}

const scenarios: {
  name: string
  expected: string
  check(scene: Scene): Promise<void>
}[] = [
  { name: 'of this release', expected: 'serves', check: serveInTurn },
  {
    name: 'with a later compatible migration',
    expected: 'serves',
    check: async scene => {
      await addLaterMigration(scene)
      await serveInTurn(scene)
    },
  },
  {
    name: 'with a later migration that it cannot read',
    expected: 'refuses, and names both versions',
    check: async scene => {
      await addLaterMigration(scene)
      const option = `('OldestCompatibleMigration', '${laterMigration}')`
      await execute(scene.hub.gateway, `insert into options (key, value) values ${option}`)
      await refuseToStart(scene)
    },
  },
]
