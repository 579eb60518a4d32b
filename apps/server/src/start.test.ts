import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Fault } from '@hub/contract'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeStores } from '../test/stores.ts'
import { makeTempFolder } from '../test/temp-folder.ts'
import { buildApp } from './app.ts'
import type { Database } from './db/index.ts'
import * as options from './db/queries/options.ts'
import { examine } from './doctor/index.ts'
import { readEnv } from './env.ts'

const MASTER_KEY = randomBytes(32).toString('hex')

const envOf = (databaseUrl: string | undefined, more: Record<string, string> = {}) => ({
  DATA_DIR: makeTempFolder(),
  LOG_LEVEL: 'silent',
  PORT: '0',
  HOST: '127.0.0.1',
  MASTER_KEY,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  ...more,
})

/** Leaves the database as a later release leaves it: a migration more, and what that migration added. */
const addLaterMigration = async (
  db: Database,
  { name = '9999-later', oldestCompatible }: { name?: string; oldestCompatible?: string } = {},
) => {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, '2026-12-01T00:00:00.000Z')`.execute(
    db,
  )
  await sql`alter table logs add column added_later text`.execute(db)
  if (oldestCompatible) await options.write(db, 'OldestCompatibleMigration', oldestCompatible)
}

const messageOf = (start: Promise<unknown>) =>
  start.then(
    () => 'started',
    error => (error instanceof Fault ? error.message : `not a fault: ${error}`),
  )

describeStores('the start of a server', stores => {
  it.skipIf(!stores.isPostgres)(
    'nodes that start together on an empty database all start, and one of them shows the password',
    async () => {
      const { databaseUrl } = await stores.location()
      const shown: string[] = []
      const announceFirstPassword = (password: string) => void shown.push(password)
      const nodes = await Promise.allSettled(
        Array.from({ length: 4 }, () =>
          buildApp(readEnv(envOf(databaseUrl)), { announceFirstPassword }),
        ),
      )
      const started = nodes.filter(each => each.status === 'fulfilled')
      const users = await started[0]?.value.app.db.selectFrom('users').select('username').execute()
      await Promise.all(started.map(each => each.value.close(1)))
      expect(nodes.map(each => (each.status === 'rejected' ? each.reason : each.status))).toEqual(
        nodes.map(() => 'fulfilled'),
      )
      expect(users).toEqual([{ username: 'root' }])
      expect(shown).toHaveLength(1)
    },
  )

  it.each(['9999-later', '0001-late'])(
    'a database with a compatible migration of a later release opens and serves: %s',
    async name => {
      const { databaseUrl } = await stores.location()
      const env = readEnv(envOf(databaseUrl, { INITIAL_ROOT_PASSWORD: 'first-password-of-root' }))
      const first = await buildApp(env)
      await addLaterMigration(first.app.db, { name })
      await first.close(1)
      const again = await buildApp(env)
      const payload = { username: 'root', password: 'first-password-of-root' }
      const signIn = await again.fastify.inject({ method: 'POST', url: '/api/user/login', payload })
      await again.close(1)
      expect(signIn.statusCode).toBe(200)
    },
  )

  it('a migration runs although the database has one with a higher number', async () => {
    const { databaseUrl } = await stores.location()
    const env = readEnv(envOf(databaseUrl))
    const first = await buildApp(env)
    const { db } = first.app
    await sql`drop table stored_resources`.execute(db)
    await sql`delete from kysely_migration where name = '0017-stored-resources'`.execute(db)
    await first.close(1)
    const again = await buildApp(env)
    const rows = await again.app.db.selectFrom('stored_resources').selectAll().execute()
    await again.close(1)
    expect(rows).toEqual([])
  })

  it('a database that only a later release can read is refused, and both versions are named', async () => {
    const { databaseUrl } = await stores.location()
    const env = readEnv(envOf(databaseUrl))
    const first = await buildApp(env)
    await addLaterMigration(first.app.db, { oldestCompatible: '9999-later' })
    await first.close(1)
    expect(await messageOf(buildApp(env))).toMatch(
      /migration 9999-later or later.*this one ends with \d{4}-/s,
    )
  })

  it('a lost master key is named, and no new one is put next to the database', async () => {
    const { databaseUrl } = await stores.location()
    const source = { ...envOf(databaseUrl), MASTER_KEY: '' }
    const file = join(source.DATA_DIR, 'master.key')
    await (await buildApp(readEnv(source))).close(1)
    const key = readFileSync(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    rmSync(file)
    expect(await messageOf(buildApp(readEnv(source)))).toContain(
      `${file}, which opens them, is not there. Put it back, or set MASTER_KEY to its content.`,
    )
    expect(existsSync(file)).toBe(false)
    expect(await examine(source)).toContainEqual({
      ...{ check: 'secrets', state: 'failed' },
      text: expect.stringContaining(file),
    })
    writeFileSync(file, key)
    await (await buildApp(readEnv(source))).close(1)
    expect(readFileSync(file)).toEqual(key)
  })

  it('a port in use and a forbidden port are told in one sentence that names the port', async () => {
    const { databaseUrl } = await stores.location()
    const other = createServer()
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const port = (other.address() as { port: number }).port
    const running = await buildApp(readEnv(envOf(databaseUrl, { PORT: String(port) })))
    const message = await messageOf(running.listen())
    await running.close(1)
    other.close()
    expect(message).toContain(`PORT ${port} on 127.0.0.1 is in use`)
  })
})
