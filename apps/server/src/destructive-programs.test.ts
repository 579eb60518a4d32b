import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { node } from '../../../test/harness/paths.ts'
import { compileCache } from '../../../test/harness/process/compile-cache.ts'
import { type ProgramEnd, runProgram } from '../../../test/harness/process/run-program.ts'
import { describeStores, type TestStores } from '../test/stores.ts'
import { makeTempFolder } from '../test/temp-folder.ts'
import { buildApp } from './app.ts'
import { writeBackup } from './backup/write.ts'
import { isEmptyStore } from './db/restore.ts'
import { readEnv } from './env.ts'
import { openApp } from './open-app.ts'

type Location = Awaited<ReturnType<TestStores['location']>>

const inSource = (file: string) => join(import.meta.dirname, file)
const files = {
  restore: inSource('backup/restore-main.ts'),
  import: inSource('import.ts'),
  'rotate-master-key': inSource('master-key/main.ts'),
}
type Name = keyof typeof files

const run = (name: Name, args: string[], location: Location): Promise<ProgramEnd> =>
  runProgram(files[name], args, { ...location, masterKey: '' })

const envOf = ({ dataDir, databaseUrl }: Location) =>
  readEnv({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent', PORT: '0' })

/** A database that a server has used, and a backup of it. */
const fill = async (location: Location) => {
  const running = await buildApp(envOf(location))
  await running.close(1)
  const file = join(makeTempFolder(), 'backup.gz')
  const { masterKey } = envOf(location)
  await writeBackup({ ...location, masterKey }, file, new Date())
  return file
}

/** A database of One API with one user. */
const makeGateway = () => {
  const file = join(makeTempFolder(), 'one-api.db')
  const database = new DatabaseSync(file)
  database.exec(`
    create table abilities (model text);
    create table options (key text, value text);
    create table users (id integer primary key, username text, password text, role integer, status integer, quota integer);
    insert into users values (7, 'moved', '', 1, 1, 500);
    create table tokens (id integer primary key);
    create table channels (id integer primary key);
    create table redemptions (id integer primary key)`)
  database.close()
  return file
}

/** The state that must not change. Other files, such as logs of SQLite, come and go. */
const stateOf = async (location: Location) => {
  const key = createHash('sha256').update(readFileSync(join(location.dataDir, 'master.key')))
  const kept = readdirSync(location.dataDir).filter(name => /before-|master/.test(name))
  return { key: key.digest('hex'), kept, isEmpty: await isEmptyStore(location) }
}

/** Runs a program in a terminal, and types an answer. */
const runInTerminal = async (name: Name, args: string[], location: Location, answer: string) => {
  const { dataDir, databaseUrl } = location
  const command = [node, files[name], ...args].join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: {
      ...{ PATH: process.env.PATH, DATA_DIR: dataDir, NODE_COMPILE_CACHE: compileCache() },
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
  })
  let output = ''
  let isAnswered = false
  child.stdout.on('data', chunk => {
    output += chunk
    if (isAnswered || !output.includes('Type yes to continue: ')) return
    isAnswered = true
    child.stdin.write(`${answer}\n`)
  })
  const [code] = await once(child, 'close')
  return { code, output }
}

const questions: readonly [name: Name, args: (backup: string) => string[], loss: RegExp][] = [
  ['restore', backup => [backup], /has users already, and everything in it will be lost/],
  ['import', () => [makeGateway()], /has users already, and everything in it will be lost/],
  ['rotate-master-key', () => [], /sealed with another master key/],
]

describeStores('a program that destroys', stores => {
  it.each(questions)(
    '%s changes nothing without a terminal unless --yes is given',
    async (name, argsOf, loss) => {
      const location = await stores.location()
      const args = argsOf(await fill(location))
      const before = await stateOf(location)
      const refused = await run(name, args, location)
      expect(refused).toMatchObject({ code: 2, output: '', errors: expect.stringMatching(loss) })
      expect(refused.errors).toMatch(/^[^\n]+ add --yes to agree\.\n$/)
      expect(await stateOf(location)).toEqual(before)
      const done = await run(name, [...args, '--yes'], location)
      expect(done).toMatchObject({ code: 0, errors: '' })
      if (name === 'rotate-master-key') expect((await stateOf(location)).key).not.toBe(before.key)
      else if (!stores.isPostgres) expect((await stateOf(location)).kept).not.toEqual(before.kept)
    },
  )

  it.each(questions)(
    '%s asks at a terminal, and only yes continues',
    async (name, argsOf, loss) => {
      const location = await stores.location()
      const args = argsOf(await fill(location))
      const before = await stateOf(location)
      const refused = await runInTerminal(name, args, location, 'y')
      expect(refused.output).toMatch(loss)
      expect(refused.output).toMatch(/Nothing was changed\.\s*$/)
      expect(refused.code).toBe(2)
      expect(await stateOf(location)).toEqual(before)
      expect(await runInTerminal(name, args, location, 'yes')).toMatchObject({ code: 0 })
    },
  )

  it('an import replaces users, and ids of calls continue', async () => {
    const location = await stores.location()
    await fill(location)
    expect(await run('import', [makeGateway(), '--yes'], location)).toMatchObject({ code: 0 })
    const { app, closeStores } = await openApp(envOf(location))
    const users = await app.db.selectFrom('users').select('username').execute()
    const { epoch } = app.ledger
    await closeStores()
    expect(users.map(each => each.username)).toEqual(['moved'])
    expect(epoch).toBeGreaterThan(1_000)
  })

  it('an import whose source cannot be read leaves a used database as it is', async () => {
    const location = await stores.location()
    await fill(location)
    const before = await stateOf(location)
    const end = await run('import', [join(makeTempFolder(), 'absent.db'), '--yes'], location)
    expect(end).toMatchObject({ code: 1, output: '' })
    expect(await stateOf(location)).toEqual(before)
  })
})
