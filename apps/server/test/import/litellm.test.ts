import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../../test/upstream/start.ts'
import { audit } from '../../src/auditor/audit.ts'
import { openKeys } from '../../src/features/channels/channel.ts'
import { resetPassword } from '../../src/features/users/reset-password.ts'
import type { ImportReport } from '../../src/importer/report.ts'
import { openTestApp, type TestApp, type TestClient } from '../harness.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import { answerJson, type Json } from '../relay-hub.ts'
import { loadDump, truthOf } from './databases.ts'
import { newFolder, runImport, type Target } from './target.ts'

const reason = postgresSkipReason()
const password = 'Imported-9021-pass'
const pointsPerUsd = 500_000

describe.skipIf(reason)(`LiteLLM on PostgreSQL ${reason ?? ''}`, () => {
  let postgres: PostgresDatabases
  let source: string
  let target: Target
  let truth: Json
  let report: ImportReport
  let hub: TestApp
  let root: TestClient
  let upstream: Upstream
  let url: string

  beforeAll(async () => {
    truth = truthOf('litellm-postgres')
    postgres = await openPostgres()
    source = await postgres.database('source')
    loadDump('litellm-postgres', source)
    target = { dataDir: newFolder(), databaseUrl: await postgres.migrated('hub') }
    const options = { saltKey: truth.salt_key }
    const dry = await runImport(target, source, { ...options, isDryRun: true })
    report = await runImport(target, source, options)
    const { channelIds } = report
    expect({ ...dry, isDryRun: false, channelIds }).toEqual(report)
    await expect(runImport(target, source, options)).rejects.toThrow('needs an empty database')
    upstream = await startUpstream()
    hub = await openTestApp(target.databaseUrl, { DATA_DIR: target.dataDir })
    url = `http://127.0.0.1:${await hub.listen()}`
    root = await signInAsRoot()
  })
  afterAll(async () => {
    await hub?.close(1)
    await upstream?.close()
    await postgres?.stop()
  })

  /** No old password works, so the administrator takes a new one from the command line. */
  const signInAsRoot = async () => {
    const temporary = await resetPassword(hub.app.db, 'admin', Math.floor(Date.now() / 1_000))
    const guest = hub.guest()
    await guest.signIn('admin', temporary)
    await guest.put('/api/user/self', { current_password: temporary, password })
    await guest.signIn('admin', password)
    return guest
  }

  const changesOf = (table: string, name: string) =>
    report.changes
      .filter(each => each.table === table && each.name === name)
      .map(each => each.change)

  const tokens = async (): Promise<Json[]> =>
    (await root.get('/api/token/admin/search?size=100')).body.data.data

  const listModels = async (key: string) =>
    (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })).status

  it('counts every row, and says what it leaves out', () => {
    expect(report.tables).toMatchObject({
      users: { found: 9, carried: 9, skipped: 0 },
      tokens: { found: 17, carried: 17, skipped: 0 },
      channels: { found: 8, carried: 8, skipped: 0 },
      user_groups: { found: 3, carried: 3, skipped: 0 },
      options: { found: 4, carried: 0, skipped: 4 },
    })
    expect(Object.fromEntries(report.left.map(each => [each.table, each.rows]))).toMatchObject({
      LiteLLM_SpendLogs: 800,
      LiteLLM_EndUserTable: 2,
      LiteLLM_OrganizationTable: 1,
      LiteLLM_TeamTable: 1,
    })
  })

  it('users have what is left of their budget, their use and no password', async () => {
    const { data } = (await root.get('/api/user/?size=100')).body.data
    const found = new Map<string, Json>(data.map((each: Json) => [each.username, each]))
    for (const user of truth.users) {
      const budget = user.max_budget ?? 1_000_000 + user.spend
      expect(found.get(user.name)).toMatchObject({
        email: user.user_email,
        quota: Math.max(0, Math.round((budget - user.spend) * pointsPerUsd)),
        used_quota: Math.round(user.spend * pointsPerUsd),
        role: user.role === 'proxy_admin' ? 100 : 1,
        group: user.teams.length > 0 ? 'Blue-team' : 'default',
      })
      expect(changesOf('users', user.name)).toContain(
        'has no password here: the old form cannot be checked',
      )
    }
    expect(changesOf('users', 'broke')).toContain('the balance is -102481 points, and 0 here')
    const old = truth.passwords['alice@mail.example']
    expect((await hub.guest().signIn('alice', old)).status).toBe(400)
  })

  it('old keys work by their hash, those before a rotation until their time', async () => {
    const refused = new Set(['blocked', 'expired', 'of blocked team'])
    for (const { key_as_a_caller_sends_it: key, name } of truth.tokens)
      expect([name, await listModels(key)]).toEqual([
        name,
        refused.has(name) ? expect.toBeOneOf([401, 403]) : 200,
      ])
    for (const { key_as_a_caller_sends_it: key, must_work } of truth.deprecated_keys)
      expect([key, await listModels(key)]).toEqual([key, must_work ? 200 : 401])
    // The stored hash is not a key.
    for (const each of truth.tokens.filter((token: Json) => token.stored.length === 64))
      expect(await listModels(each.stored)).toBe(401)
  })

  it('keys keep their limits, and only those stored as they are can be shown', async () => {
    const found = new Map((await tokens()).map(each => [each.name, each]))
    expect(found.get('capped')).toMatchObject({
      ...{ unlimited_quota: false, tokens_per_minute: 1000, api_rate: 10, concurrent_requests: 3 },
      remain_quota: Math.round((2.5 - 0.2909456750000002) * pointsPerUsd),
    })
    expect(changesOf('tokens', 'capped')).toContain(
      'the budget was renewed every 7d: the rest of it is a cap here',
    )
    expect(found.get('wang 🌸').setting.limits.limit_model_setting).toEqual({
      enabled: true,
      models: ['gpt-4o-mini', 'claude-sonnet'],
    })
    expect(changesOf('tokens', 'service')).toContain('`allowed_routes` is not carried')
    expect(found.get('later').expired_time).toBe(Date.UTC(2033, 4, 18) / 1_000)
    for (const each of truth.tokens)
      expect([each.name, found.get(each.name).revealable]).toEqual([
        each.name,
        each.name === 'not sk',
      ])
    const key = (await root.get('/api/token/?size=100')).body.data.data[0]
    const revealed = await root.post(`/api/token/${key.id}/reveal`)
    expect([revealed.status, revealed.body.code]).toEqual([409, 'token.not_revealable'])
  })

  it('channels have their type, address and decrypted key', async () => {
    const rows = await hub.app.db.selectFrom('channels').selectAll().orderBy('id').execute()
    const byOldId = (id: string) => rows.find(each => each.id === report.channelIds[id])!
    const credential = truth.credentials[0].values_plain
    const types: Record<string, number> = { openai: 1, azure: 3, anthropic: 14, bedrock: 32 }
    for (const { model_id, litellm_params_plain } of truth.models) {
      const params = { ...(litellm_params_plain.litellm_credential_name && credential) }
      Object.assign(params, litellm_params_plain)
      const row = byOldId(model_id)
      const key =
        params.api_key ??
        `${params.aws_region_name}|${params.aws_access_key_id}|${params.aws_secret_access_key}`
      expect(row).toMatchObject({
        type: types[params.model.split('/')[0]],
        base_url: (params.api_base ?? '').replace('/v1', ''),
        status: 1,
        weight: params.weight ?? 1,
        other: params.api_version ?? '',
      })
      expect(openKeys(hub.app, row as never)).toEqual([key])
    }
  })

  it('calls by old keys cost what they cost there', async () => {
    const { data } = (await root.get('/api/channel/?size=100')).body.data
    // One channel serves each model: the deployment in Azure waits.
    for (const { id, type } of data)
      expect(
        (
          await root.put('/api/channel/', {
            ...{ id, base_url: `${upstream.url}/a`, status: type === 3 ? 2 : 1 },
            // A new address needs the key again.
            key: type === 32 ? 'eu-west-1|id|secret' : 'vendor-key',
          })
        ).text,
      ).toContain('"success":true')
    let usage: Json
    for (const model of ['gpt-4o', 'gpt-4o-mini', 'custom-llm'])
      upstream.play(model, turn =>
        answerJson(turn, {
          ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
          choices: [
            { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' },
          ],
          usage: {
            prompt_tokens: usage.prompt_tokens,
            completion_tokens: usage.completion_tokens,
            total_tokens: usage.prompt_tokens + usage.completion_tokens,
            prompt_tokens_details: { cached_tokens: usage.cached_tokens },
            completion_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
          },
        }),
      )
    const key = truth.tokens.find((each: Json) => each.name === 'root key').key_as_a_caller_sends_it
    const spent = async () => (await tokens()).find(each => each.name === 'root key')!.used_quota
    // LiteLLM's price function knows no price of this alias; its proxy takes that of the vendor's model, as this one.
    const priced = truth.canonical_charges.filter((each: Json) => each.model !== 'claude-sonnet')
    for (const each of priced) {
      usage = each.usage
      const before = await spent()
      const answer = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          ...{ model: each.model, max_tokens: 8 },
          messages: [{ role: 'user', content: 'hi' }],
        }),
      })
      expect([each.model, await answer.text(), answer.status]).toEqual([
        each.model,
        expect.anything(),
        200,
      ])
      // A charge is a whole number of points, rounded up.
      const points = Math.ceil(Number((each.charge_usd * pointsPerUsd).toPrecision(12)))
      expect([each.model, usage, (await spent()) - before]).toEqual([each.model, usage, points])
    }
  })

  it('the command reads the salt from a file; neither it nor the report shows a secret', () => {
    const file = join(newFolder(), 'salt.txt')
    writeFileSync(file, `${truth.salt_key}\n`)
    const program = join(import.meta.dirname, '../../src/import.ts')
    const dataDir = newFolder()
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [program, source, '--dry-run', '--salt-key-file', file],
      { encoding: 'utf8', env: { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'silent' } },
    )
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('This import would carry LiteLLM.')
    const written = [stdout, readFileSync(join(dataDir, 'import-report.json'), 'utf8')]
    const models = truth.models.map((each: Json) => each.litellm_params_plain)
    const secrets = models.flatMap((each: Json) => [each.api_key, each.aws_secret_access_key])
    const keys = truth.tokens.map((each: Json) => each.key_as_a_caller_sends_it)
    for (const secret of [truth.salt_key, 'sk-shared-made-up', ...secrets, ...keys].filter(Boolean))
      for (const text of written) expect(text).not.toContain(secret)
  })

  it('the auditor finds nothing', async () => {
    const { results, isClean } = await audit(target)
    expect(results.filter(each => each.findings.length > 0)).toEqual([])
    expect(isClean).toBe(true)
  })

  it('another salt is refused; without one, channels have no key and are disabled', async () => {
    const other = { dataDir: newFolder() }
    await expect(runImport(other, source, { saltKey: 'sk-another' })).rejects.toThrow(
      'another salt',
    )
    const { changes, tables } = await runImport(other, source, { isDryRun: true })
    expect(tables).toMatchObject({ channels: { carried: 8 }, tokens: { carried: 17 } })
    const disabled = changes.filter(each => each.table === 'channels')
    expect(disabled.map(each => each.change)).toEqual(
      Array(8).fill('disabled: its secrets are encrypted: give the salt'),
    )
  })
})
