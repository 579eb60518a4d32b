import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUpstream, type Upstream } from '../../../../test/upstream/start.ts'
import { audit } from '../../src/auditor/audit.ts'
import type { ImportReport } from '../../src/importer/report.ts'
import { openSource } from '../../src/importer/sources/open-source.ts'
import { openTestApp, type TestApp, type TestClient } from '../harness.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../postgres.ts'
import { answerJson, type Json } from '../relay-hub.ts'
import { copyOf, dumpOf, loadDump, truthOf } from './databases.ts'
import { mariadbSkipReason, startMariadb, type TestMariadb } from './mariadb.ts'
import { newFolder, runImport, type Target } from './target.ts'

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

/** Answers a chat, a message or an image with the token counts of the call that is tried. */
const play = (upstream: Upstream, models: readonly string[], usage: () => Json) => {
  for (const model of new Set(models))
    upstream.play(model, turn => {
      const { prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens } = usage()
      // Callers of Claude's own format were answered with cached tokens on top of the prompt.
      const included = usage().isInClaudeFormat ? 0 : cached_tokens
      if (turn.served.path.endsWith('/images/generations'))
        return answerJson(turn, { created: 1, data: [{ b64_json: 'aGk=' }] })
      if (turn.served.path.endsWith('/messages'))
        return answerJson(turn, {
          ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' },
          content: [{ type: 'text', text: 'hi' }],
          usage: {
            input_tokens: prompt_tokens - included,
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
  /** root, signed in by the password of the source. */
  root: TestClient
  url: string
  upstream: Upstream
}

/** Rewards of New API that the user has not moved to the balance yet. */
const rewardOf = (user: Json): number => (user.aff_history === undefined ? 0 : user.aff_quota)

/** Keys of a private group that is not their user's are refused here; the report names them. */
const isOfPrivateGroup = ({ report }: Site, { name }: Json): boolean =>
  report.changes.some(
    each => each.table === 'tokens' && each.name === name && /private/.test(each.change),
  )

type Opener = () => Promise<{ target: Target; address: string }>

const importTests = (name: Parameters<typeof truthOf>[0], open: Opener) => {
  const site = {} as Site
  beforeAll(async () => {
    const truth = truthOf(name)
    const users = truth.users.filter((each: Json) => !each.deleted)
    const tokens = truth.tokens.filter((each: Json) => !each.deleted && !each.owner_deleted)
    const { target, address } = await open()
    const pricing = { data: truth.pricing_answer_of_the_running_program }
    const dry = await runImport(target, address, { isDryRun: true, pricing })
    const report = await runImport(target, address, { pricing })
    const { channelIds } = report
    expect({ ...dry, isDryRun: false, channelIds }).toEqual(report)
    const sum = (read: (user: Json) => number) =>
      users.reduce((total: number, each: Json) => total + read(each), 0)
    const source = truth.sums.users_live.quota + sum(rewardOf)
    const negative = sum(each => Math.min(0, each.quota))
    expect(report.balances).toEqual({ source, here: source - negative })
    await expect(runImport(target, address, { pricing })).rejects.toThrow('needs an empty database')
    const upstream = await startUpstream()
    const hub = await openTestApp(target.databaseUrl, { DATA_DIR: target.dataDir })
    const url = `http://127.0.0.1:${await hub.listen()}`
    const root = hub.guest()
    await root.signIn(users[0].name, users[0].password)
    Object.assign(site, { truth, users, tokens, report, target, hub, root, url, upstream })
  })
  afterAll(async () => {
    await site.hub?.close(1)
    await site.upstream?.close()
  })
  peopleTests(site)
  channelTests(site)
  modelInfoTests(site)
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
        quota: Math.max(0, user.quota + rewardOf(user)),
        used_quota: user.used_quota,
        request_count: user.request_count,
        role: user.role === 3 ? 1 : user.role,
        status: user.status,
        group: user.group,
        display_name: user.display_name,
      })
      const telegram = Number(user.telegram_id ?? 0)
      if (site.report.program === 'One Hub')
        expect(Number(found.get(user.name)?.telegram_id)).toBe(telegram)
      // A password takes long to check, so one in three is tried.
      if (user.id % 3 !== 1) continue
      const signedIn = await hub.guest().signIn(user.name, user.password)
      expect([user.name, signedIn.status]).toEqual([user.name, user.status === 1 ? 200 : 400])
    }
  })

  it('old keys list models, as the other program answered them', async () => {
    const { tokens, url } = site
    // The key that is bound to addresses was asked from one of them.
    for (const token of tokens.filter((each: Json) => !/bound$/.test(each.name))) {
      const key = token.key_as_a_caller_sends_it
      for (const each of [key, key.slice(3)]) {
        const headers = { authorization: `Bearer ${each}` }
        const { status } = await fetch(`${url}/v1/models`, { headers })
        const { list_models, why = '' } = token.asked_of_the_program
        // A used up key lists models here, but no call of it is served.
        const isListed =
          (list_models === 200 && !isOfPrivateGroup(site, token)) || why.includes('额度已用尽')
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

const modelInfoTests = (site: Site) => {
  it('descriptions of models are listed as they stood there', async () => {
    const { data } = (await site.hub.guest().get('/api/model_info/')).body
    const withoutId = ({ id: _, ...row }: Json) => row
    expect(data.map(withoutId)).toEqual((site.truth.model_info ?? []).map(withoutId))
  })
}

const chargeTests = (site: Site) => {
  it('calls by old keys cost what they cost there', async () => {
    const { truth, root, upstream, tokens, url } = site
    const { data: groups } = (await root.get('/api/user_group/?size=100')).body.data
    for (const { id } of groups) await root.put('/api/user_group/', { id, public: true })
    let usage: Json
    const models = truth.canonical_charges.map((each: Json) => each.model)
    play(upstream, models, () => usage)
    const differing: string[] = []
    const spent = new Map<string, number>()
    for (const each of truth.canonical_charges) {
      usage = { ...each.usage, isInClaudeFormat: each.api === 'claude' }
      const { key_as_a_caller_sends_it: key } = tokens.find(({ name }: Json) => name === each.token)
      const before = spent.get(each.token) ?? (await spentBy(site, each.token))
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
      const after = await spentBy(site, each.token)
      const charge = after - before
      spent.set(each.token, after)
      if (response.status !== 200 || !isSameCharge(truth, each, charge))
        differing.push(
          `${each.model} ${JSON.stringify(each.usage)} ${response.status}: ${charge}, not ${each.charge}`,
        )
    }
    expect(differing).toEqual([])
  })
}

/** One Hub rounds the parts of a cached prompt of Claude up one by one. New API rounds to the nearest point. */
const isSameCharge = ({ source }: Json, { api, usage, charge }: Json, here: number): boolean => {
  if (source.startsWith('New API')) return here === charge || here === charge + 1
  return here === charge || (api === 'claude' && usage.cached_tokens > 0 && here === charge - 1)
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

describe('One Hub on SQLite', () => {
  importTests('one-hub-sqlite', async () => ({
    target: { dataDir: newFolder() },
    address: copyOf('one-hub-sqlite'),
  }))

  it('the source is not changed', async () => {
    const file = copyOf('one-hub-sqlite')
    const before = hashOf(file)
    await runImport({ dataDir: newFolder() }, file)
    expect(hashOf(file)).toBe(before)
  })

  it('a group without a ratio costs what prices say, and one of 0 stays free', async () => {
    const file = copyOf('one-hub-sqlite')
    const source = new DatabaseSync(file)
    source.exec('update user_groups set ratio = null')
    const free = source.prepare('select symbol from user_groups order by id desc limit 1').get()
    source.prepare('update user_groups set ratio = 0 where symbol = ?').run(free!.symbol!)
    source.close()
    const dataDir = newFolder()
    await runImport({ dataDir }, file)
    const target = new DatabaseSync(join(dataDir, 'hub.db'), { readOnly: true })
    const groups = target.prepare('select symbol, ratio from user_groups').all()
    target.close()
    expect(groups.length).toBeGreaterThan(1)
    for (const { symbol, ratio } of groups)
      expect([symbol, Number(ratio)]).toEqual([symbol, symbol === free!.symbol ? 0 : 1])
  })

  it('a file that is missing or no database of a known gateway is refused', async () => {
    const dataDir = newFolder()
    await expect(runImport({ dataDir }, join(dataDir, 'none.db'))).rejects.toThrow(
      'There is no file',
    )
    await expect(runImport({ dataDir }, join(dataDir, 'hub.db'))).rejects.toThrow(
      'not the tables of',
    )
  })
})

const skipReason = postgresSkipReason()

describe.skipIf(skipReason)(`One Hub on PostgreSQL ${skipReason ?? ''}`, () => {
  let postgres: PostgresDatabases
  afterAll(() => postgres?.stop())

  importTests('one-hub-postgres', async () => {
    postgres = await openPostgres()
    const [address, databaseUrl] = [
      await postgres.database('source'),
      await postgres.migrated('hub'),
    ]
    loadDump('one-hub-postgres', address)
    return { target: { dataDir: newFolder(), databaseUrl }, address }
  })
})

const mariadbReason = mariadbSkipReason()

describe.skipIf(mariadbReason)(
  `One Hub on MariaDB, by a user who may only read ${mariadbReason ?? ''}`,
  () => {
    let mariadb: TestMariadb
    let address: string
    afterAll(() => mariadb?.stop())

    importTests('one-hub-mariadb', async () => {
      mariadb = await startMariadb()
      address = await mariadb.load('onehub', dumpOf('one-hub-mariadb'))
      return { target: { dataDir: newFolder() }, address }
    })

    it('the days of its log are those of its rows', async () => {
      const source = await openSource(address)
      const rows = await source.rows('logs', 'id')
      const days = await source.days('logs', 'created_at')
      await source.close()
      expect(rows.length).toBeGreaterThan(0)
      expect(new Set(days)).toEqual(
        new Set(rows.map(each => Math.floor(Number(each.created_at) / 86_400))),
      )
    })
  },
)

describe('New API on SQLite', () => {
  importTests('new-api-sqlite', async () => ({
    target: { dataDir: newFolder() },
    address: copyOf('new-api-sqlite'),
  }))

  it('needs the prices of the running program', async () => {
    const address = copyOf('new-api-sqlite')
    await expect(runImport({ dataDir: newFolder() }, address)).rejects.toThrow('--pricing')
  })
})

describe('One API on SQLite', () => {
  importTests('one-api-sqlite', async () => ({
    target: { dataDir: newFolder() },
    address: copyOf('one-api-sqlite'),
  }))
})
