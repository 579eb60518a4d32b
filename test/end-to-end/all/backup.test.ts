import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '../../harness/audit.ts'
import { ask, unlimitedAgent } from '../../harness/client.ts'
import { engines, type OpenDatabase, openDatabase } from '../../harness/engines.ts'
import { makeGateway } from '../../harness/gateway.ts'
import { query } from '../../harness/ledger.ts'
import { root } from '../../harness/paths.ts'
import { runProgram } from '../../harness/process/run-program.ts'
import { describeEachEngine } from '../../harness/runner/describe-engines.ts'
import { until } from '../../harness/runner/until.ts'
import { startTestHub, type TestHub } from '../../harness/test-hub.ts'

const programs = join(root, 'apps/server/src/backup')
const [backupProgram, restoreProgram] = [
  join(programs, 'main.ts'),
  join(programs, 'restore-main.ts'),
]

const isSoak = process.env.HUB_RECOVERY_ROUNDS !== undefined

type Account = { user_id: number; balance: number; held: number; used: number }

/** Reads the accounts of a backup without the code that is tested. */
const accountsIn = (file: string): Account[] => {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const begin = lines.findIndex(line => line.startsWith('{"table":"accounts"'))
  const end = lines.findIndex(line => line.startsWith('{"end":"accounts"'))
  const { columns } = JSON.parse(lines[begin]!) as { columns: string[] }
  return lines
    .slice(begin + 1, end)
    .map(line => {
      const cells = JSON.parse(line) as number[]
      const cell = (name: string) => cells[columns.indexOf(name)]!
      return {
        ...{ user_id: cell('user_id'), balance: cell('balance') },
        ...{ held: cell('held'), used: cell('used') },
      }
    })
    .sort((a, b) => a.user_id - b.user_id)
}

const storedAccounts = async (where: { dataDir: string; databaseUrl: string | undefined }) =>
  (await query(where, 'select user_id, balance, held, used from accounts order by user_id')).map(
    row => ({
      ...{ user_id: Number(row.user_id), balance: Number(row.balance) },
      ...{ held: Number(row.held), used: Number(row.used) },
    }),
  )

describeEachEngine(engine => {
  let hub: TestHub
  const agent = unlimitedAgent()
  const folders: string[] = []
  const databases: OpenDatabase[] = []
  const newFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), 'hub-restored-'))
    folders.push(folder)
    return folder
  }
  beforeAll(async () => {
    hub = await startTestHub(engine)
  })
  afterAll(async () => {
    agent.destroy()
    await hub?.close()
    for (const each of databases) await each.close()
    for (const each of folders) rmSync(each, { recursive: true, force: true })
  })

  const newPlace = async (on = engine) => {
    const database = await openDatabase(on)
    databases.push(database)
    return { dataDir: newFolder(), databaseUrl: database.url, masterKey: hub.gateway.masterKey }
  }

  it('a backup that is made while calls are charged restores elsewhere to the balances of its moment', async () => {
    const people = await Promise.all([1, 2, 3].map(() => hub.admin.addPerson(10_000_000)))
    let isLoaded = true
    let answered = 0
    const callers = people.flatMap(({ key }) =>
      [1, 2, 3].map(async () => {
        while (isLoaded) {
          const seen = await hub.ask({ key, model: 'any:in=10;out=20;every=1', stream: true })
          if (seen.complete) answered += 1
        }
      }),
    )
    await until('calls are charged', () => answered > 20)
    const before = answered
    const made = await runProgram(backupProgram, [], hub.gateway)
    expect(made).toMatchObject({ code: 0, errors: '' })
    await until('calls were charged during and after the backup', () => answered > before + 20)
    isLoaded = false
    await Promise.all(callers)
    await hub.settled()

    const folder = join(hub.gateway.dataDir, 'backups')
    const [name = '', ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(made.output).toContain(join(folder, name))
    expect(made.output).toContain('the master key')
    const file = join(folder, name)
    const accounts = accountsIn(file)
    const sum = (rows: Account[], name: 'used' | 'held') =>
      rows.reduce((total, each) => total + each[name], 0)
    expect(sum(accounts, 'used')).toBeGreaterThan(0)
    const atEnd = await storedAccounts(hub.gateway)
    expect(sum(atEnd, 'used')).toBeGreaterThan(sum(accounts, 'used'))

    for (const on of engines.filter(each => each.available)) {
      const place = await newPlace(on)
      const wrong = await runProgram(restoreProgram, [file], {
        ...place,
        masterKey: randomBytes(32).toString('base64'),
      })
      expect(wrong).toMatchObject({
        code: 1,
        errors: expect.stringMatching(/^The backup cannot be restored\. .*another master key/),
      })
      expect(existsSync(join(place.dataDir, 'hub.db'))).toBe(false)
      const restored = await runProgram(restoreProgram, [file], place)
      expect(restored).toMatchObject({ code: 0, errors: '' })
      expect([on.name, await storedAccounts(place)]).toEqual([on.name, accounts])
      await auditLedger(place)

      const gateway = makeGateway({
        ...place,
        secrets: hub.gateway,
        env: { FETCH_PRIVATE_RANGES: '127.0.0.0/8' },
      })
      await gateway.start()
      const [person] = people
      const call = { url: gateway.url, agent, key: person!.key, model: 'any:in=10;out=5' }
      expect((await ask(call)).complete).toBe(true)
      await gateway.stop()
      await auditLedger(place)
    }
  })

  it('a restore that is killed at any step is repeated, and ends in the same state', async () => {
    const file = join(newFolder(), 'backup.gz')
    expect(await runProgram(backupProgram, [file], hub.gateway)).toMatchObject({ code: 0 })
    const accounts = accountsIn(file)
    const place = await newPlace()
    let kills = 0
    for (const step of isSoak ? [1, 5, 12, 20] : [12]) {
      const end = await runProgram(restoreProgram, [file, '--yes'], place, {
        FAILPOINT: `start:${step}`,
      })
      if (end.signal === 'SIGKILL') kills += 1
      else expect(end).toMatchObject({ code: 0 })
      const repeated = await runProgram(restoreProgram, [file, '--yes'], place)
      expect([step, repeated]).toMatchObject([step, { code: 0, errors: '' }])
      expect(await storedAccounts(place)).toEqual(accounts)
      await auditLedger(place)
    }
    expect(kills).toBeGreaterThan(isSoak ? 1 : 0)
  })
})
