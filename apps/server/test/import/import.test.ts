import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  areRecordings,
  recorded,
  recordingsFolder,
} from '../../../../test/harness/runner/recordings.ts'
import { startUpstream, type Upstream } from '../../../../test/upstream/start.ts'
import { audit } from '../../src/auditor/audit.ts'
import { readEnv } from '../../src/env.ts'
import { importGateway } from '../../src/importer/index.ts'
import type { ImportReport } from '../../src/importer/report.ts'
import { openApp } from '../../src/open-app.ts'
import { openTestApp, type TestApp, type TestClient } from '../harness.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import { answerJson, type Json } from '../relay-hub.ts'
import { mariadbSkipReason, startMariadb, type TestMariadb } from './mariadb.ts'

type Target = { dataDir: string; databaseUrl?: string }

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-import-'))
  folders.push(folder)
  return folder
}
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

const envOf = ({ dataDir, databaseUrl }: Target) =>
  readEnv({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  })

const runImport = async (target: Target, address: string, isDryRun = false) => {
  const { app, closeStores } = await openApp(envOf(target))
  try {
    return await importGateway(app, address, { isDryRun })
  } finally {
    await closeStores()
  }
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Answers a chat, a message or an image with the token counts of the call that is tried. */
const play = (upstream: Upstream, models: readonly string[], usage: () => Json) => {
  for (const model of new Set(models))
    upstream.play(model, turn => {
      const { prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens } = usage()
      if (turn.served.path.endsWith('/images/generations'))
        return answerJson(turn, { created: 1, data: [{ b64_json: 'aGk=' }] })
      if (turn.served.path.endsWith('/messages'))
        return answerJson(turn, {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' },
          content: [{ type: 'text', text: 'hi' }],
          usage: {
            input_tokens: prompt_tokens,
            output_tokens: completion_tokens,
            cache_read_input_tokens: cached_tokens,
          },
        })
      return answerJson(turn, {
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model },
        choices: [
          { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' },
        ],
        usage: {
          ...{ prompt_tokens, completion_tokens },
          total_tokens: prompt_tokens + completion_tokens,
          prompt_tokens_details: { cached_tokens },
          completion_tokens_details: { reasoning_tokens },
        },
      })
    })
}

const addresses: Record<string, string> = {
  chat: '/v1/chat/completions',
  claude: '/v1/messages',
  image: '/v1/images/generations',
}

/** A gateway that runs on imported data, and what the source says of it. */
type Site = {
  truth: Json
  users: Json[]
  tokens: Json[]
  report: ImportReport
  target: Target
  hub: TestApp
  /** root, by the access token of the source. */
  root: TestClient
  url: string
  upstream: Upstream
}

type Opener = () => Promise<{ target: Target; address: string }>

const importTests = (name: string, open: Opener) => {
  const site = {} as Site
  beforeAll(async () => {
    const truth = JSON.parse(recorded(`import/${name}/truth.json`)) as Json
    const users = truth.users.filter((each: Json) => !each.deleted)
    const tokens = truth.tokens.filter((each: Json) => !each.deleted && !each.owner_deleted)
    const { target, address } = await open()
    const dry = await runImport(target, address, true)
    const report = await runImport(target, address)
    const { channelIds } = report
    expect({ ...dry, isDryRun: false, channelIds }).toEqual(report)
    const { quota } = truth.sums.users_live
    expect(report.balances).toEqual({ source: quota, here: quota })
    await expect(runImport(target, address)).rejects.toThrow('needs an empty database')
    const upstream = await startUpstream()
    const hub = await openTestApp(target.databaseUrl, { DATA_DIR: target.dataDir })
    const url = `http://127.0.0.1:${await hub.listen()}`
    const root = hub.guest({ headers: { authorization: `Bearer ${users[0].access_token}` } })
    Object.assign(site, { truth, users, tokens, report, target, hub, root, url, upstream })
  })
  afterAll(async () => {
    await site.hub?.close(1)
    await site.upstream?.close()
  })
  peopleTests(site)
  channelTests(site)
  chargeTests(site)
  ledgerTests(site)
}

const peopleTests = (site: Site) => {
  it('users have their balance, use, role and password', async () => {
    const { root, hub, users } = site
    const { data } = (await root.get('/api/user/?size=100')).body.data
    const found = new Map<string, Json>(data.map((each: Json) => [each.username, each]))
    expect(found.size).toBe(users.length)
    for (const user of users) {
      expect(found.get(user.name)).toMatchObject({
        quota: user.quota,
        used_quota: user.used_quota,
        request_count: user.request_count,
        role: user.role === 3 ? 1 : user.role,
        status: user.status,
        group: user.group,
        display_name: user.display_name,
      })
      const signedIn = await hub.guest().signIn(user.name, user.password)
      expect([user.name, signedIn.status]).toEqual([user.name, user.status === 1 ? 200 : 400])
    }
  })

  it('old keys list models, as the other program answered them', async () => {
    const { tokens, url } = site
    // The key that is bound to addresses was asked from one of them.
    for (const token of tokens.filter((each: Json) => each.name !== 'ip bound')) {
      const key = token.key_as_a_caller_sends_it
      for (const each of [key, key.slice(3)]) {
        const headers = { authorization: `Bearer ${each}` }
        const { status } = await fetch(`${url}/v1/models`, { headers })
        const { list_models, why = '' } = token.asked_of_the_program
        // A used up key lists models here, but no call of it is served.
        const isListed =
          (list_models === 200 && token.group !== 'vip') || why.includes('额度已用尽')
        expect([token.name, status < 400]).toEqual([token.name, isListed])
      }
    }
  })
}

const channelTests = (site: Site) => {
  it('channels have their status, use and address', async () => {
    const { truth, root, upstream } = site
    const { data } = (await root.get('/api/channel/?size=100')).body.data
    const live = truth.channels.filter((each: Json) => !each.deleted)
    expect(data.map((each: Json) => each.name).toSorted()).toEqual(
      live.map((each: Json) => each.name).toSorted(),
    )
    for (const each of live) {
      const found = data.find(({ name }: Json) => name === each.name)
      expect(found).toMatchObject({ status: each.status, used_quota: each.used_quota })
      const secrets = Object.fromEntries(
        ['model_headers', 'custom_parameter', 'proxy'].map(field => [
          field,
          each[field] ? JSON.stringify(each[field]) : '',
        ]),
      )
      const change = { id: found.id, base_url: `${upstream.url}/a`, key: each.key, ...secrets }
      expect((await root.put('/api/channel/', change)).text).toContain('"success":true')
    }
  })
}

const chargeTests = (site: Site) => {
  it('calls by old keys cost what they cost there', async () => {
    const { truth, root, upstream, tokens, report, url } = site
    const { data: groups } = (await root.get('/api/user_group/?size=100')).body.data
    const vip = groups.find((each: Json) => each.symbol === 'vip')
    // A key of a private group that is not its user's is refused here; the report names it.
    expect(report.changes).toContainEqual(
      expect.objectContaining({ table: 'tokens', name: 'vip by group' }),
    )
    await root.put('/api/user_group/', { id: vip.id, public: true })
    let usage: Json
    const models = truth.canonical_charges.map((each: Json) => each.model)
    play(upstream, models, () => usage)
    const differing: string[] = []
    for (const each of truth.canonical_charges) {
      usage = each.usage
      const { key_as_a_caller_sends_it: key } = tokens.find(({ name }: Json) => name === each.token)
      const before = await spentBy(site, each.token)
      const response = await fetch(`${url}${addresses[each.api]}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({
          ...{ model: each.model, max_tokens: 8 },
          ...(each.api === 'image'
            ? { prompt: 'a cat', max_tokens: undefined }
            : { messages: [{ role: 'user', content: 'hi' }] }),
        }),
      })
      await response.arrayBuffer()
      const charge = (await spentBy(site, each.token)) - before
      // One Hub rounds the parts of a cached prompt of Claude one by one, and up.
      const more = each.api === 'claude' && usage.cached_tokens > 0 ? 1 : 0
      const isEqual = charge <= each.charge && charge >= each.charge - more
      if (response.status !== 200 || !isEqual)
        differing.push(
          `${each.model} ${JSON.stringify(usage)} ${response.status}: ${charge}, not ${each.charge}`,
        )
    }
    expect(differing).toEqual([])
  })
}

const ledgerTests = (site: Site) => {
  it('codes that nobody used are redeemed, and used ones are not', async () => {
    const { truth, hub, users } = site
    const buyer = hub.guest()
    const user = users.find((each: Json) => each.role === 1 && each.status === 1)
    await buyer.signIn(user.name, user.password)
    const [open, used] = [1, 3].map(status =>
      truth.redemptions.find((each: Json) => each.status === status),
    )
    const redeem = (code: Json) => buyer.post('/api/user/topup', { key: code.key })
    expect((await redeem(open)).body).toMatchObject({ success: true, data: open.quota })
    expect((await redeem(used)).status).toBe(404)
  })

  it('the auditor finds nothing', async () => {
    const { dataDir, databaseUrl } = site.target
    const source = { dataDir, databaseUrl }
    const { results, isClean } = await audit(source)
    expect(results.filter(each => each.findings.length > 0)).toEqual([])
    expect(isClean).toBe(true)
  })
}

const spentBy = async ({ tokens, root }: Site, name: string): Promise<number> => {
  const token = tokens.find(each => each.name === name)
  const { data } = (await root.get('/api/user/?size=100')).body.data
  return data.find((each: Json) => each.username === token.owner).used_quota
}

describe.skipIf(!areRecordings && !process.env.CI)('One Hub on SQLite', () => {
  importTests('one-hub-sqlite', async () => {
    const [dataDir, from] = [newFolder(), join(newFolder(), 'one-api.db')]
    copyFileSync(join(recordingsFolder, 'import/one-hub-sqlite/one-api.db'), from)
    return { target: { dataDir }, address: from }
  })

  it('the source is not changed', async () => {
    const file = join(newFolder(), 'one-api.db')
    copyFileSync(join(recordingsFolder, 'import/one-hub-sqlite/one-api.db'), file)
    const before = hashOf(file)
    await runImport({ dataDir: newFolder() }, file)
    expect(hashOf(file)).toBe(before)
  })

  it('a file that is missing or no database of a known gateway is refused', async () => {
    const dataDir = newFolder()
    await expect(runImport({ dataDir }, join(dataDir, 'none.db'))).rejects.toThrow(
      'There is no file',
    )
    await expect(runImport({ dataDir }, join(dataDir, 'hub.db'))).rejects.toThrow(
      'tables of One Hub',
    )
  })
})

const skipReason = postgresSkipReason()

describe.skipIf(skipReason !== undefined)('One Hub on PostgreSQL', () => {
  let postgres: PostgresDatabases
  afterAll(() => postgres?.stop())

  importTests('one-hub-postgres', async () => {
    postgres = await openPostgres()
    const [address, databaseUrl] = [
      await postgres.database('source'),
      await postgres.database('hub'),
    ]
    const dump = join(recordingsFolder, 'import/one-hub-postgres/dump.sql')
    execFileSync('psql', ['--quiet', '--set=ON_ERROR_STOP=1', '-f', dump, address], {
      stdio: 'pipe',
    })
    return { target: { dataDir: newFolder(), databaseUrl }, address }
  })
})

const mariadbReason = mariadbSkipReason()

describe.skipIf(mariadbReason !== undefined)(
  'One Hub on MariaDB, by a user who may only read',
  () => {
    let mariadb: TestMariadb
    afterAll(() => mariadb?.stop())

    importTests('one-hub-mariadb', async () => {
      mariadb = await startMariadb()
      const dump = join(recordingsFolder, 'import/one-hub-mariadb/dump.sql')
      return { target: { dataDir: newFolder() }, address: await mariadb.load('onehub', dump) }
    })
  },
)
