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
    databaseUrl = await postgres.database('telegram_nodes')
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
})
