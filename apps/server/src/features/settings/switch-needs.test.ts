import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSwitchedOn, type SettingKey, switchNeeds } from '@hub/contract'
import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'
import * as options from '../../db/queries/options.ts'

let hub: TestApp
const put = async (key: string, value: string) =>
  (await hub.root.put('/api/option/', { key, value })).body

/** A value of each needed setting that its schema accepts. */
const samples: Partial<Record<SettingKey, string>> = {
  EmailDomainWhitelist: 'example.com',
  GitHubClientId: 'app',
  GitHubClientSecret: 'secret',
  LarkClientId: 'app',
  LarkClientSecret: 'secret',
  OIDCClientId: 'app',
  OIDCClientSecret: 'secret',
  OIDCIssuer: 'https://login.example.com',
  SafeKeyWords: 'word',
  SMTPAccount: 'hub@example.com',
  SMTPFrom: 'hub@example.com',
  SMTPServer: '127.0.0.1',
  TaskStorageAccessKey: 'key',
  TaskStorageBucket: 'bucket',
  TaskStorageEndpoint: 'https://s3.example.com',
  TaskStorageSecretKey: 'secret',
  TelegramBotToken: '123456789:AAFabcdefghijklmnop',
  TurnstileSecretKey: 'secret',
  TurnstileSiteKey: 'site',
  UptimeDomain: 'https://status.example.com',
  UptimePageName: 'default',
  WeChatServerAddress: 'https://wechat.example.com',
}
/** Its schema refuses an empty list, so that a switch never lacks it. */
const neverEmpty: readonly SettingKey[] = ['EmailDomainWhitelist']

const onOf = (key: SettingKey) => (key === 'TelegramUpdateMode' ? 'webhook' : 'true')
const offOf = (key: SettingKey) => (key === 'TelegramUpdateMode' ? 'polling' : 'false')

const switches = Object.entries(switchNeeds) as [
  SettingKey,
  (typeof switchNeeds)[keyof typeof switchNeeds],
][]

onBothEnginesInLongRuns('switches', open => {
  beforeAll(async () => {
    hub = await open()
    await put('ServerAddress', 'https://hub.example')
  })

  for (const [key, { settings = [] }] of switches)
    it(`${key} is refused without each of its settings, and accepted with all`, async () => {
      const alternatives = settings.map(need => (typeof need === 'string' ? [need] : need))
      const keys = alternatives.flat().filter(each => !neverEmpty.includes(each))
      await put(key, offOf(key))
      for (const each of keys) await options.write(hub.app.db, each, '')
      await hub.app.reloadSettings()
      for (const needs of alternatives) {
        if (needs.some(each => neverEmpty.includes(each))) continue
        const refused = await hub.root.put('/api/option/', { key, value: onOf(key) })
        expect([refused.status, refused.body.code]).toEqual([422, 'setting.incomplete'])
        expect(refused.body.message).toContain(`\`${needs[0]}\``)
        await put(needs.at(-1)!, samples[needs.at(-1)!]!)
      }
      expect(await put(key, onOf(key))).toMatchObject({ success: true })
      const stored = Object.assign({}, ...Object.values(hub.app.settings()))
      expect(isSwitchedOn(stored[key])).toBe(true)
      await put(key, offOf(key))
    })

  it('a need of a switch that is on may be removed, and the switch has no effect', async () => {
    for (const key of ['GitHubClientId', 'GitHubClientSecret'] as const) await put(key, 'x')
    await put('GitHubOAuthEnabled', 'true')
    const isOffered = async () => (await hub.guest().get('/api/status')).body.data.github_oauth
    expect(await isOffered()).toBe(true)
    expect(await put('GitHubClientSecret', '')).toMatchObject({ success: true })
    expect(await isOffered()).toBe(false)
  })
})

it('the settings page of the documentation names every switch with its needs', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../../docs/settings.md'), 'utf8')
  for (const [key, { settings = [], address }] of switches) {
    const row = new RegExp(`^\\| \`${key}\`.*$`, 'm').exec(text)?.[0]
    const needs = settings.flat()
    expect([key, row !== undefined]).toEqual([key, needs.length > 0 || address === true])
    for (const need of needs) expect(row).toContain(`\`${need}\``)
    if (address) expect(row).toContain('the address')
  }
})
