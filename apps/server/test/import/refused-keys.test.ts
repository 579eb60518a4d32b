import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import type { Json } from '../relay-hub.ts'
import { copyOf, truthOf } from './databases.ts'
import { inspect, newFolder, runImport } from './target.ts'

type Source = 'one-hub-sqlite' | 'new-api-sqlite'

/** Imports one key with these columns next to those of the source. Returns whether a call of it would be served. */
const isServed = async (name: Source, fields: Json) => {
  const file = copyOf(name)
  const source = new DatabaseSync(file)
  const row: Json = {
    ...{ id: 900, user_id: 1, key: 'tried'.padEnd(48, 'x'), status: 1, name: 'tried' },
    ...{ expired_time: -1, remain_quota: 500, unlimited_quota: 0, used_quota: 0, ...fields },
  }
  const names = Object.keys(row)
  source
    .prepare(`insert into tokens (${names.join()}) values (${names.map(() => '?').join()})`)
    .run(...(Object.values(row) as string[]))
  source.close()
  const target = { dataDir: newFolder() }
  const pricing = { data: truthOf(name).pricing_answer_of_the_running_program }
  const report = await runImport(target, file, { pricing })
  const found = await inspect(target, app =>
    app.db
      .selectFrom('tokens')
      .innerJoin('token_spend', 'token_spend.token_id', 'tokens.id')
      .select(['status', 'expires_at', 'cap'])
      .where('name', '=', 'tried')
      .executeTakeFirstOrThrow(),
  )
  const isCurrent = found.expires_at === -1 || found.expires_at > Date.now() / 1_000
  const served = found.status === 1 && isCurrent && (found.cap === null || found.cap > 0)
  return [served, report.changes.some(each => each.table === 'tokens' && each.id === 900)]
}

const limits = (given: unknown) => ({ setting: JSON.stringify({ limits: given }) })
const models = (enabled: boolean, list: unknown) =>
  limits({ limit_model_setting: { enabled, models: list } })
const addresses = (enabled: boolean, list: unknown) =>
  limits({ limits_ip_setting: { enabled, whitelist: list } })

it.each<[string, Source, Json, boolean, boolean]>([
  ['with a rest', 'one-hub-sqlite', {}, true, false],
  ['whose expiry is 0', 'one-hub-sqlite', { expired_time: 0 }, false, false],
  ['whose expiry is below -1', 'one-hub-sqlite', { expired_time: -5 }, false, false],
  ['“expired” by its status', 'one-hub-sqlite', { status: 3 }, false, true],
  ['“exhausted” by its status', 'one-hub-sqlite', { status: 4 }, false, true],
  ['“exhausted” without a rest', 'one-hub-sqlite', { status: 4, remain_quota: 0 }, false, false],
  ['whose list of models is off', 'one-hub-sqlite', models(false, []), true, false],
  ['whose list of models is empty', 'one-hub-sqlite', models(true, []), false, true],
  ['whose list of models is text', 'one-hub-sqlite', models(true, 'gpt-4o'), false, true],
  ['whose list of addresses is empty', 'one-hub-sqlite', addresses(true, []), false, true],
  ['with no readable address', 'one-hub-sqlite', addresses(true, ['home']), false, true],
  ['with one readable address', 'one-hub-sqlite', addresses(true, ['home', '::1']), true, true],
  ['whose limits are text', 'one-hub-sqlite', limits('none'), false, true],
  ['whose limits are a list', 'one-hub-sqlite', limits([]), false, true],
  ['whose model list is empty', 'new-api-sqlite', { model_limits_enabled: 1 }, false, true],
  ['with no readable address', 'new-api-sqlite', { allow_ips: 'home' }, false, true],
  ['“expired” by its status', 'new-api-sqlite', { status: 3 }, false, true],
  ['of 48 bytes', 'one-hub-sqlite', { key: 'k'.repeat(48) }, true, false],
  ['of 59 bytes', 'one-hub-sqlite', { key: 'k'.repeat(59) }, true, false],
  ['of 47 bytes', 'one-hub-sqlite', { key: 'k'.repeat(47) }, false, true],
  ['of 60 bytes', 'one-hub-sqlite', { key: 'k'.repeat(60) }, false, true],
  ['of 48 characters in more bytes', 'one-hub-sqlite', { key: 'ü'.repeat(48) }, false, true],
  ['of 3 bytes', 'one-hub-sqlite', { key: 'abc' }, false, true],
  ['of 3 bytes', 'new-api-sqlite', { key: 'abc' }, true, false],
  ['of 128 bytes', 'new-api-sqlite', { key: 'k'.repeat(128) }, true, false],
  ['with a hyphen', 'new-api-sqlite', { key: `${'k'.repeat(40)}-1234567` }, false, true],
])('a key %s of %s is served only if it was there', async (_, name, fields, served, named) => {
  expect(await isServed(name, fields)).toEqual([served, named])
})
