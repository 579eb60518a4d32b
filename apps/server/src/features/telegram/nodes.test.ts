import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../../../../test/harness/runner/until.ts'
import { botToken, FakeTelegram } from '../../../../../test/harness/telegram/server.ts'
import { openTestApp, type TestApp } from '../../../test/harness.ts'
import { openPostgres, type PostgresDatabases, postgresSkipReason } from '../../../test/postgres.ts'
import * as bot from '../../db/queries/telegram-bot.ts'

const skipReason = postgresSkipReason()
const masterKey = randomBytes(32).toString('hex')
const account = { id: 1, language_code: 'en' }

let postgres: PostgresDatabases
let telegram: FakeTelegram
let databaseUrl: string
let nodes: TestApp[]

const openNode = () => openTestApp(databaseUrl, { MASTER_KEY: masterKey })
/** Only the first node of a database makes the root user. */
let rootToken: string
const set = (key: string, value: string, node = nodes[0]!) =>
  node
    .guest({ headers: { authorization: `Bearer ${rootToken}` } })
    .put('/api/option/', { key, value })
const epochs = () => nodes.map(each => each.app.ledger.epoch)
const holder = async () => (await bot.find(nodes[0]!.app.db))?.epoch ?? 0
const isAnswered = async () => {
  const before = telegram.sent.length
  telegram.say(account, '/start')
  await until('the bot answers', () => telegram.sent.length > before)
}

/** Runs the bot on the first node, and returns its epoch. */
const runOnFirst = async () => {
  await set('TelegramBotEnabled', 'true')
  const [first, second] = nodes as [TestApp, TestApp]
  const isFirst = async () => (await holder()) === first.app.ledger.epoch
  if (!(await isFirst())) {
    await second.close(1)
    nodes = [first]
    await until('the first node polls', isFirst)
    nodes.push(await openNode())
  }
  await isAnswered()
  return first.app.ledger.epoch
}

/** The second node declares the first dead after its silence, takes the bot, and answers. */
const takeOver = async (stalled: number) => {
  const { db, ledger } = nodes[1]!.app
  await db.transaction().execute(async tx => {
    await tx.updateTable('nodes').set({ state: 'dead' }).where('epoch', '=', stalled).execute()
    await tx.updateTable('telegram_bot').set({ epoch: ledger.epoch }).execute()
  })
  await until('the other node answers all updates', () => telegram.pending === 0)
}

/** The bot returns to the first node, which has ended its earlier run by then. */
const returnToFirst = async (stalled: number) => {
  await nodes.pop()!.close(1)
  const hasReturned = async () => (await holder()) === nodes[0]!.app.ledger.epoch
  await until('the first node polls again', hasReturned)
  expect(await holder()).not.toBe(stalled)
  await isAnswered()
  await until('all updates are confirmed', () => telegram.pending === 0)
  nodes.push(await openNode())
}

/** A node that is suspended for longer than its lease, and goes on where it stood. */
const suspended = () => {
  it('a node that was suspended in a poll leaves its updates to the next holder', async () => {
    const stalled = await runOnFirst()
    const before = telegram.sent.length
    const poll = telegram.holdNext('getUpdates')
    telegram.say(account, '/balance')
    telegram.say(account, '/aff')
    await poll.taken
    await takeOver(stalled)
    poll.release()
    await returnToFirst(stalled)
    expect(telegram.sent.length - before).toBe(3)
    expect(telegram.conflicts).toBe(0)
  })

  it('a node that was suspended before it repeats a call sends no answer', async () => {
    const stalled = await runOnFirst()
    const before = telegram.sent.length
    telegram.floods = 1
    const refused = telegram.holdNext('sendMessage')
    telegram.say(account, '/balance')
    await refused.taken
    await takeOver(stalled)
    refused.release()
    await returnToFirst(stalled)
    expect(telegram.sent.length - before).toBe(2)
    expect(telegram.conflicts).toBe(0)
  })
}

const oneOfTwo = () => {
  it('one of two nodes polls; when it stops, the other one continues', async () => {
    await set('TelegramBotEnabled', 'true')
    await until('a node polls', async () => epochs().includes(await holder()))
    for (let n = 0; n < 3; n += 1) await isAnswered()
    const first = await holder()
    const stopping = nodes.findIndex(each => each.app.ledger.epoch === first)
    const [stopped] = nodes.splice(stopping, 1)
    await stopped!.close(1)
    await until('the other node polls', async () => (await holder()) === epochs()[0])
    await isAnswered()
    nodes.push(await openNode())
    expect(telegram.conflicts).toBe(0)
  })

  it('a change of the settings is obeyed wherever it is made, and no two polls meet', async () => {
    for (const node of [0, 1, 0, 1]) {
      await set('TelegramBotEnabled', 'false', nodes[node])
      await until('no node polls', async () => (await holder()) === 0)
      await set('TelegramBotEnabled', 'true', nodes[1 - node])
      await until('a node polls', async () => epochs().includes(await holder()))
      await isAnswered()
    }
    expect(telegram.conflicts).toBe(0)
  })

  it('many nodes that ask at once: one gets the bot, and the next one after its death', async () => {
    const { db } = nodes[0]!.app
    await set('TelegramBotEnabled', 'false')
    await until('no node polls', async () => (await holder()) === 0)
    const insert = () =>
      db
        .insertInto('nodes')
        .values({ heartbeat: 0, state: 'live' })
        .returning('epoch')
        .executeTakeFirstOrThrow()
    const asking = await Promise.all(Array.from({ length: 8 }, insert))
    const ask = async () => {
      const answers = await Promise.all(asking.map(({ epoch }) => bot.acquire(db, epoch)))
      return asking.filter((_, n) => answers[n]).map(({ epoch }) => epoch)
    }
    const [first, ...others] = await ask()
    expect(others).toEqual([])
    expect(await ask()).toEqual([first])
    await db.updateTable('nodes').set({ state: 'dead' }).where('epoch', '=', first!).execute()
    const [second, ...more] = (await ask()).filter(epoch => epoch !== first)
    expect([typeof second, more]).toEqual(['number', []])
    await bot.release(db, second!)
    await db
      .updateTable('nodes')
      .set({ state: 'dead' })
      .where(
        'epoch',
        'in',
        asking.map(each => each.epoch),
      )
      .execute()
  })
}

describe.skipIf(skipReason)(`the Telegram bot on two nodes ${skipReason ?? ''}`, () => {
  beforeAll(async () => {
    postgres = await openPostgres()
    databaseUrl = await postgres.migrated('telegram_nodes')
    telegram = await new FakeTelegram().start()
    const first = await openNode()
    rootToken = first.accessToken
    nodes = [first, await openNode()]
    await set('TelegramApiRoot', telegram.url)
    await set('TelegramBotToken', botToken)
  })
  afterAll(async () => {
    for (const each of nodes) await each.close(1)
    await telegram.close()
    await postgres.stop()
  })
  oneOfTwo()
  suspended()
})
