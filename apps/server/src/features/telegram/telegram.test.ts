import { logTypes } from '@hub/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../../../../test/harness/runner/until.ts'
import { botToken, FakeTelegram, type Sent } from '../../../../../test/harness/telegram/server.ts'
import { onBothEngines, type TestApp, type TestUser } from '../../../test/harness.ts'
import { watchCredentials } from '../../../test/sign-in/credential-changes.ts'

let hub: TestApp
let telegram: FakeTelegram
let accounts = 100

/** The root user, each time from another address, because calls of one are limited. */
const admin = () => hub.guest({ headers: { authorization: `Bearer ${hub.accessToken}` } })

const set = async (key: string, value: string) => {
  const { body } = await admin().put('/api/option/', { key, value })
  if (!body.success) throw new TypeError(`${key}: ${body.message}`)
}
const state = async () => (await admin().get('/api/option/telegram/status')).body.data
const untilState = (expected: string) =>
  until(`the bot is ${expected}`, async () => (await state()).state === expected)

/** Switches the bot off and on in another mode. */
const runBot = async (mode: 'webhook' | 'polling') => {
  await set('TelegramUpdateMode', mode)
  await set('TelegramBotEnabled', 'true')
  await untilState(mode)
}

const newAccount = (language_code = 'en') => ({
  id: ++accounts,
  username: `p${accounts}`,
  language_code,
})
type Account = ReturnType<typeof newAccount>

/** Writes to the bot and returns what it answers. */
const ask = async (account: Account, text: string, more: Parameters<FakeTelegram['say']>[2] = {}) =>
  answerTo(() => telegram.say(account, text, more))

const answerTo = async (act: () => void): Promise<Sent> => {
  const before = telegram.sent.length
  act()
  await until('the bot answers', () => telegram.sent.length > before && telegram.pending >= 0)
  return telegram.sent[before]!
}

const linkOf = async (user: TestUser) =>
  (await user.post('/api/user/telegram', { current_password: user.password })).body.data
const bind = async (user: TestUser, account: Account) =>
  ask(account, `/start ${(await linkOf(user)).code}`)
const telegramIdOf = async (user: TestUser) =>
  (await user.get('/api/user/self')).body.data.telegram_id
const newCode = async (quota: number) =>
  (await admin().post('/api/redemption/', { name: 'bot', quota })).body.data[0] as string

/** Every command and menu, once. */
const converse = async () => {
  const user = await hub.person(1, { quota: 1_000_000 })
  const account = newAccount()
  expect((await ask(account, '/start')).text).toMatch(
    /bot of One Hub[\s\S]*\/balance[\s\S]*\/panel\/profile/,
  )
  expect((await ask(account, '/balance')).text).toMatch(/No account is bound/)
  expect((await ask(account, '/bind')).text).toMatch(/No account is bound/)

  const link = await linkOf(user)
  expect(link.url).toBe(`https://t.me/hub_test_bot?start=${link.code}`)
  expect((await ask(account, `/bind ${link.code}`)).text).toMatch(`${user.username} is bound`)
  expect(await telegramIdOf(user)).toBe(account.id)

  expect((await ask(account, '/balance')).text).toBe('Balance: $2.00\nUsed: $0.00\nRequests: 0')
  const prompt = await ask(account, '/recharge')
  expect(prompt.forceReply).toBe(true)
  const code = await newCode(500_000)
  expect((await ask(account, code, { reply: prompt })).text).toBe(
    'Added $1.00. Your balance is now $3.00.',
  )
  expect((await ask(account, `/recharge ${code}`)).text).toBe('This code was used already.')
  expect((await ask(account, '/recharge never-made')).text).toBe('There is no such code.')

  expect((await ask(account, '/apikey')).text).toMatch(/no API keys yet/)
  for (let n = 1; n <= 6; n += 1) await user.post('/api/token/', { name: `key <${n}>` })
  const keys = await ask(account, '/apikey')
  expect(keys.text.match(/key <\d>/g)).toEqual([6, 5, 4, 3, 2].map(n => `key <${n}>`))
  expect(keys.text).toMatch(/sk-[\w-]{4}…[\w-]{4}/)
  expect(keys.text).not.toMatch(/sk-[\w-]{20}/)
  const next = await answerTo(() => telegram.press(account, keys, 'Next ›'))
  expect([next.method, next.text.match(/key <\d>/g)]).toEqual(['editMessageText', ['key <1>']])

  const { aff_code } = (await user.get('/api/user/self')).body.data
  expect((await ask(account, '/aff')).text).toContain(`/register?aff=${aff_code}`)
  expect((await ask(account, '/price')).text).toBe('1 USD = 7 CNY.')
  expect((await ask(account, 'hello')).text).toMatch(/\/apikey/)
  expect((await ask(account, '/unbind')).text).toBe('The binding is removed.')
  expect(await telegramIdOf(user)).toBe(0)
}

const modes = () => {
  it('a conversation runs every command and menu by polling', async () => {
    await runBot('polling')
    await converse()
    await until('all is confirmed', () => telegram.pending === 0)
    expect(telegram.conflicts).toBe(0)
  })

  it('S28 and by webhook, whose address contains no token', async () => {
    await runBot('webhook')
    expect(telegram.webhook?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/telegram\/webhook$/)
    await converse()
    expect(new Set(telegram.deliveries)).toEqual(new Set([200]))
  })

  it('S28 the webhook refuses a wrong and a missing secret, and the old address is gone', async () => {
    await runBot('webhook')
    const message = { message_id: 1, date: 1, text: '/start', chat: { id: 1, type: 'private' } }
    const update = { update_id: 1, message: { ...message, from: { id: 1, first_name: 'x' } } }
    const header = 'x-telegram-bot-api-secret-token'
    const { secret } = telegram.webhook!
    for (const headers of [
      {},
      { [header]: '' },
      { [header]: `${secret}0` },
      { [header]: botToken },
    ])
      expect(
        (await hub.guest().send('POST', '/api/telegram/webhook', update, { headers })).status,
      ).toBe(401)
    const old = await hub.guest().post(`/api/telegram/${botToken}`, update)
    expect(old.status).toBe(404)
    await set('TelegramBotEnabled', 'false')
    await untilState('off')
    const headers = { [header]: secret }
    expect(
      (await hub.guest().send('POST', '/api/telegram/webhook', update, { headers })).status,
    ).toBe(404)
    await until('the webhook is gone', () => telegram.webhook === undefined)
  })

  it('the state names the bot, and why it fails', async () => {
    await runBot('polling')
    const running = await state()
    expect(running).toMatchObject({ status: true, is_webhook: false, username: 'hub_test_bot' })
    expect(running.node).toBe(hub.app.ledger.epoch)
    expect((await hub.guest().get('/api/status')).body.data.telegram_bot).toBe('hub_test_bot')
    await set('TelegramBotToken', '42:AAWrongTokenWrongToken')
    await untilState('failed')
    expect((await state()).last_error).toBe('getMe: Unauthorized')
    expect((await hub.guest().get('/api/status')).body.data.telegram_bot).toBe('')
    await set('TelegramBotToken', botToken)
    await untilState('polling')
    expect((await state()).last_error).toBe('')
    await set('TelegramApiRoot', `${telegram.url}/`)
    expect((await state()).state).toBe('polling')
    await set('TelegramApiRoot', 'https://elsewhere.example')
    await untilState('off')
    await set('TelegramApiRoot', telegram.url)
    await set('TelegramBotToken', botToken)
  })
}

const bindings = () => {
  it('of two accounts that use one code at the same time, one is bound', async () => {
    await runBot('webhook')
    const user = await hub.person()
    const { code } = await linkOf(user)
    const [first, second] = [newAccount(), newAccount()]
    const before = telegram.sent.length
    const { url, secret } = telegram.webhook!
    const headers = {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': secret,
    }
    // Makes the chats known, as a start of the bot does.
    for (const each of [first, second]) await ask(each, '/start')
    const answers = [first, second].map((from, n) => {
      const chat = { id: from.id, type: 'private' }
      const message = { message_id: 1, date: 1, chat, from, text: `/start ${code}` }
      return fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ update_id: n, message }),
      })
    })
    expect((await Promise.all(answers)).map(each => each.status)).toEqual([200, 200])
    const texts = telegram.sent
      .slice(before + 2)
      .map(each => each.text.replace(/.*is bound.*/, 'bound'))
    expect(texts.sort()).toEqual([
      'This link has expired or was used. Make a new one in your profile.',
      'bound',
    ])
    expect([first.id, second.id]).toContain(await telegramIdOf(user))
  })

  it('a code works once and for ten minutes, and one account is bound to one user', async () => {
    await runBot('webhook')
    const [user, other] = [await hub.person(), await hub.person()]
    const [account, another] = [newAccount(), newAccount()]
    const late = (await linkOf(user)).code
    hub.clock.now += 601_000
    expect((await ask(account, `/start ${late}`)).text).toMatch(/expired/)
    await user.signIn(user.username, user.password)
    await other.signIn(other.username, other.password)
    const { code } = await linkOf(user)
    await ask(account, `/start ${code}`)
    expect((await ask(another, `/start ${code}`)).text).toMatch(/expired/)
    expect((await ask(account, `/start ${code}`)).text).toMatch(/already/)
    expect((await bind(other, account)).text).toMatch(/bound to another user/)
    expect(await telegramIdOf(other)).toBe(0)
    const again = await user.post('/api/user/telegram', { current_password: user.password })
    expect(again.body.code).toBe('oauth.bound_other')
    expect(
      JSON.stringify(await hub.app.db.selectFrom('one_time_codes').selectAll().execute()),
    ).not.toContain(code)
  })

  it('S21 C20 a link and its removal need fresh proof and are notified; both ends unbind', async () => {
    await runBot('webhook')
    const user = await hub.person()
    const changes = await watchCredentials(hub, user.id)
    expect((await user.post('/api/user/telegram', {})).body.code).toBe('password.wrong')
    const account = newAccount()
    await bind(user, account)
    expect((await user.delete('/api/user/telegram', {})).body.code).toBe('password.wrong')
    const proof = { current_password: user.password }
    expect((await user.delete('/api/user/telegram', proof)).status).toBe(200)
    expect((await user.delete('/api/user/telegram', proof)).body.code).toBe('oauth.not_bound')
    expect((await ask(account, '/balance')).text).toMatch(/No account is bound/)
    await bind(user, account)
    expect((await ask(account, '/unbind')).text).toMatch(/removed/)
    expect(await telegramIdOf(user)).toBe(0)
    const boundAndRemoved = ['telegram-added', 'telegram-removed']
    expect(await changes()).toEqual([...boundAndRemoved, ...boundAndRemoved])
  })
}

const redemptions = () => {
  it('a redemption in the chat has the log row and the audit rows of one in the console', async () => {
    await runBot('webhook')
    const user = await hub.person()
    const account = newAccount()
    await bind(user, account)
    const redeem = (way: 'chat' | 'console', key: string) =>
      way === 'chat'
        ? ask(account, `/recharge ${key}`)
        : user.send('POST', '/api/user/topup', { key }, { remoteAddress: '198.51.100.7' })
    const recorded = async (way: 'chat' | 'console', key: string) => {
      const auditId = (await auditRows()).at(-1)?.id ?? 0
      const logId = (await logRows()).at(-1)?.id ?? 0
      for (let n = 0; n < 2; n += 1) await redeem(way, key)
      const audit = (await auditRows()).filter(each => each.id > auditId)
      const logs = (await logRows()).filter(each => each.id > logId)
      return { audit, logs }
    }
    const auditRows = () =>
      hub.app.db
        .selectFrom('audit')
        .selectAll()
        .where('actor_id', '=', user.id)
        .where('action', '=', 'profile.redeem')
        .orderBy('id')
        .execute()
    const logRows = () =>
      hub.app.db
        .selectFrom('logs')
        .selectAll()
        .where('user_id', '=', user.id)
        .where('type', '=', logTypes.topUp)
        .orderBy('id')
        .execute()
    const [first, second] = [await newCode(10), await newCode(10)]
    const byConsole = await recorded('console', first)
    const byChat = await recorded('chat', second)
    const outcomes = byChat.audit.map(({ outcome, source_ip }) => [outcome, source_ip])
    expect(outcomes).toEqual([
      ['', 'telegram'],
      ['redemption.used', 'telegram'],
    ])
    expect(JSON.stringify(byChat.audit)).not.toContain(second)
    // The two codes differ, and so do the addresses, the requests and the links of the chain.
    const own = ['id', 'hash', 'target', 'input', 'source_ip', 'request_id', 'content', 'metadata']
    const common = (rows: object[]) =>
      rows.map(row =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))),
      )
    expect(common(byChat.audit)).toEqual(common(byConsole.audit))
    expect([byChat.logs.length, common(byChat.logs)]).toEqual([1, common(byConsole.logs)])
    await ask(account, '/unbind')
    const { body } = await admin().get('/api/audit/?action=telegram.unbind&order=-id')
    expect(body.data.data[0]).toMatchObject({ actor_id: user.id, source_ip: 'telegram' })
  })
}

const answers = () => {
  it('a disabled user gets no answer but that', async () => {
    await runBot('webhook')
    const user = await hub.person()
    const account = newAccount()
    await bind(user, account)
    const code = await newCode(10)
    await admin().post('/api/user/manage', { username: user.username, action: 'disable' })
    for (const text of [
      '/start',
      '/balance',
      `/recharge ${code}`,
      '/apikey',
      '/price',
      '/unbind',
      'x',
    ])
      expect((await ask(account, text)).text).toBe(
        'Your account is disabled. Please contact the administrator.',
      )
    const [row] = (await admin().get(`/api/redemption/?keyword=${code}`)).body.data.data
    expect(row.status).toBe(1)
  })

  it('the bot answers in the language of the person, and keeps account data out of groups', async () => {
    await runBot('webhook')
    const bound = newAccount()
    await bind(await hub.person(), bound)
    for (const [language_code, text] of [
      ['zh-hans', '余额'],
      ['zh-hant', '餘額'],
      ['ja', '残高'],
      ['fr', '余额'],
    ] as const)
      expect((await ask({ ...bound, language_code }, '/balance')).text).toContain(text)
    const chat = { id: -5, type: 'group' }
    const account = newAccount()
    expect((await ask(account, '/balance@hub_test_bot', { chat })).text).toMatch(/private chat/)
    expect((await ask(account, '/price', { chat })).text).toBe('1 USD = 7 CNY.')
    const before = telegram.sent.length
    for (const text of ['hello', '/unknown', '/balance@other_bot'])
      telegram.say(account, text, { chat })
    await until('all is delivered', () => telegram.pending === 0)
    expect(telegram.sent.length).toBe(before)
  })

  it('an answer that Telegram delays with 429 is sent when it may be', async () => {
    await runBot('webhook')
    telegram.floods = 1
    const before = telegram.deliveries.length
    expect((await ask(newAccount(), '/start')).text).toMatch(/One Hub/)
    await until('the update is delivered', () => telegram.pending === 0)
    expect(telegram.deliveries.slice(before)).toEqual([200])
  })
}

const menus = () => {
  const add = (menu: object) => admin().post('/api/option/telegram/', menu)
  const menu = {
    command: 'site',
    description: 'Our site',
    parse_mode: 'html',
    reply_message: '<b>Hello</b>',
  }

  it('commands are added, replaced, found, sorted and deleted', async () => {
    const { body } = await add(menu)
    expect(body.data).toMatchObject(menu)
    const { id } = body.data
    expect((await add(menu)).body.code).toBe('resource.exists')
    expect((await add({ ...menu, id, description: 'Replaced' })).body.data).toMatchObject({
      id,
      description: 'Replaced',
    })
    expect(
      (await admin().put('/api/option/telegram/', { ...menu, id, command: 'price' })).body.code,
    ).toBe('resource.exists')
    expect((await add({ ...menu, id: 999_999 })).body.code).toBe('resource.missing')
    const list = async (query: string) =>
      (await admin().get(`/api/option/telegram/?${query}`)).body.data.data.map(
        (each: { command: string }) => each.command,
      )
    expect(await list('order=command')).toEqual(['price', 'site'])
    expect(await list('order=-command')).toEqual(['site', 'price'])
    expect([await list('keyword=si'), await list(`keyword=${id}`)]).toEqual([['site'], ['site']])
    expect((await admin().delete(`/api/option/telegram/${id}`)).status).toBe(200)
    expect((await admin().get(`/api/option/telegram/${id}`)).status).toBe(404)
  })

  it('a command of the bot, a bad name and a text that does not parse are refused', async () => {
    const texts = [
      { command: 'start' },
      { command: 'Price' },
      { command: 'a-b' },
      { command: '' },
      { command: 'x'.repeat(33) },
      { description: '' },
      { reply_message: '' },
      { reply_message: '<b>open' },
      { reply_message: 'a < b' },
      { parse_mode: 'MarkdownV2', reply_message: '1.5' },
      { parse_mode: 'Markdown', reply_message: 'snake_case' },
      { parse_mode: 'BBCode' },
      { reply_message: 'x'.repeat(4097) },
    ]
    for (const each of texts)
      expect([each, (await add({ ...menu, ...each })).status]).toEqual([each, 400])
  })

  it('Telegram has the last word on a text while the bot is on', async () => {
    await runBot('webhook')
    const emoji = {
      ...menu,
      command: 'emoji',
      parse_mode: 'MarkdownV2',
      reply_message: '![no emoji](tg://emoji?id=x)',
    }
    const refused = await add(emoji)
    expect([refused.status, refused.body.code]).toEqual([422, 'telegram.refused'])
    expect(refused.body.message).toMatch(/custom emoji identifier/)
    await set('TelegramBotEnabled', 'false')
    expect((await add(emoji)).status).toBe(200)
  })

  it('a reload sends the commands to Telegram, in each language and by chat', async () => {
    await runBot('webhook')
    await admin().put('/api/option/telegram/reload', {})
    expect(telegram.commands.get('default:')?.map(each => each.command)).toContain('price')
    expect(telegram.commands.get('default:')?.map(each => each.command)).not.toContain('balance')
    const privately = telegram.commands.get('all_private_chats:ja')
    expect(privately?.find(each => each.command === 'balance')?.description).toBe('残高と使用量')
    expect(privately?.map(each => each.command)).toContain('price')
    await set('TelegramBotEnabled', 'false')
    expect((await admin().put('/api/option/telegram/reload', {})).body.code).toBe('telegram.off')
  })
}

onBothEngines('the Telegram bot', open => {
  beforeAll(async () => {
    telegram = await new FakeTelegram().start()
    hub = await open()
    await set('ServerAddress', `http://127.0.0.1:${await hub.listen()}`)
    await set('TelegramApiRoot', telegram.url)
    await set('TelegramBotToken', botToken)
    const price = { command: 'price', description: 'Price', reply_message: '1 USD \\= *7* CNY\\.' }
    await admin().post('/api/option/telegram/', price)
  })
  afterAll(() => telegram.close())
  modes()
  bindings()
  redemptions()
  answers()
  menus()
})
