import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Language, languages } from '../../locales/language.ts'
import { commandsFor, findCommands } from './commands.ts'

const everything = { isAdmin: true, isRoot: true, hasInvoices: true }

const textIn = (language: Language) => (key: string) => {
  const [file = '', ...path] = key.split('.')
  const texts: unknown = JSON.parse(
    readFileSync(join(import.meta.dirname, `../../locales/${language}/${file}.json`), 'utf8'),
  )
  return path.reduce((value, name) => Reflect.get(Object(value), name), texts)
}

const commandsIn = (language: Language, permissions = everything) => {
  const t = textIn(language)
  return commandsFor(permissions).map(({ id, labelKey }) => ({
    id,
    label: String(t(labelKey)),
    synonyms: t(`palette.synonyms.${id}`) as string,
  }))
}

/** Each line pairs what people type with the command that they mean. */
const meant: Record<Language, Record<string, string>> = {
  en_US: {
    ...{
      key: 'token',
      keys: 'token',
      'api key': 'token',
      tok: 'token',
      'create key': 'createToken',
    },
    ...{ 'new api key': 'createToken', 'add channel': 'createChannel', channel: 'channel' },
    ...{ upstream: 'channel', customers: 'user', 'add user': 'createUser', 'dark mode': 'theme' },
    ...{ theme: 'theme', logout: 'sign-out', 'sign out': 'sign-out', calls: 'log', usage: 'log' },
    ...{ balance: 'topup', recharge: 'topup', refund: 'orders', price: 'pricing', smtp: 'setting' },
    ...{
      webhook: 'notification',
      password: 'profile',
      '2fa': 'profile',
      english: 'language-en_US',
    },
    ...{ chinese: 'language-zh_CN', backup: 'system_info', sso: 'oauth_provider', bill: 'invoice' },
    ...{ video: 'task', coupon: 'redemption', 'test mail': 'testMail', shortcuts: 'keys' },
    ...{ stripe: 'payment', codex: 'sessions', chat: 'playground', 'sync prices': 'readPrices' },
    ...{ 'price list': 'readPrices', 'group add': 'createGroup', stats: 'analytics' },
  },
  zh_CN: {
    ...{
      密钥: 'token',
      令牌: 'token',
      key: 'token',
      新建令牌: 'createToken',
      创建密钥: 'createToken',
    },
    ...{ 添加渠道: 'createChannel', 渠道: 'channel', 上游: 'channel', 客户: 'user', 用户: 'user' },
    ...{
      添加用户: 'createUser',
      深色模式: 'theme',
      主题: 'theme',
      登出: 'sign-out',
      退出: 'sign-out',
    },
    ...{
      余额: 'topup',
      充值: 'topup',
      退款: 'orders',
      订单: 'orders',
      价格: 'pricing',
      倍率: 'user_group',
    },
    ...{ 告警: 'notification', 密码: 'profile', 英文: 'language-en_US', 备份: 'system_info' },
    ...{ 账单: 'invoice', 视频: 'task', 卡密: 'redemption', 测试邮件: 'testMail', 快捷键: 'keys' },
    ...{
      支付宝: 'payment',
      会话: 'sessions',
      对话: 'playground',
      同步价格: 'readPrices',
      统计: 'analytics',
    },
  },
  zh_HK: {
    ...{
      金鑰: 'token',
      令牌: 'token',
      key: 'token',
      新增令牌: 'createToken',
      建立金鑰: 'createToken',
    },
    ...{ 新增渠道: 'createChannel', 渠道: 'channel', 上游: 'channel', 客戶: 'user', 用戶: 'user' },
    ...{
      新增用戶: 'createUser',
      深色模式: 'theme',
      主題: 'theme',
      登出: 'sign-out',
      餘額: 'topup',
    },
    ...{
      退款: 'orders',
      價格: 'pricing',
      警報: 'notification',
      密碼: 'profile',
      英文: 'language-en_US',
    },
    ...{ 備份: 'system_info', 帳單: 'invoice', 影片: 'task', 卡密: 'redemption', 快捷鍵: 'keys' },
    ...{ 支付寶: 'payment', 對話: 'playground', 同步價格: 'readPrices', 統計: 'analytics' },
  },
  ja_JP: {
    ...{ キー: 'token', トークン: 'token', とーくん: 'token', キーを作成: 'createToken' },
    ...{ チャネルを追加: 'createChannel', チャネル: 'channel', 上流: 'channel', 顧客: 'user' },
    ...{ ユーザー: 'user', ユーザーを追加: 'createUser', ダークモード: 'theme', テーマ: 'theme' },
    ...{
      ログアウト: 'sign-out',
      残高: 'topup',
      返金: 'orders',
      価格: 'pricing',
      アラート: 'notification',
    },
    ...{
      パスワード: 'profile',
      英語: 'language-en_US',
      バックアップ: 'system_info',
      請求書: 'invoice',
    },
    ...{ 動画: 'task', クーポン: 'redemption', ショートカット: 'keys', 決済: 'payment' },
    ...{ チャット: 'playground', 価格を同期: 'readPrices', 統計: 'analytics', ログ: 'log' },
  },
}

it.each(languages)('in %s the first command is what the typed words mean', language => {
  const commands = commandsIn(language)
  const found = Object.keys(meant[language]).map(typed => [
    typed,
    findCommands(commands, typed)[0]?.id,
  ])
  expect(Object.fromEntries(found)).toEqual(meant[language])
})

it.each(languages)('in %s each command has a label and synonyms', language => {
  for (const command of commandsIn(language)) {
    expect([command.id, command.label]).not.toEqual([command.id, 'undefined'])
    expect([command.id, command.synonyms]).toEqual([command.id, expect.stringMatching(/./)])
  }
})

it('a user finds no command of administrators, and an administrator none of the super administrator', () => {
  const idsOf = (isAdmin: boolean) =>
    commandsIn('en_US', { ...everything, isAdmin, isRoot: false }).map(({ id }) => id)
  expect(idsOf(false)).toContain('createToken')
  expect(idsOf(false)).not.toContain('createChannel')
  expect(idsOf(true)).toContain('createChannel')
  expect(idsOf(true)).not.toContain('testMail')
})

it('words in any order find a command, and nonsense finds none', () => {
  const commands = commandsIn('en_US')
  expect(findCommands(commands, 'channel create')[0]?.id).toBe('createChannel')
  expect(findCommands(commands, 'xyzzy')).toEqual([])
  expect(findCommands(commands, '  ')).toHaveLength(commands.length)
})
