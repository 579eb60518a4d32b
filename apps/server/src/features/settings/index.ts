import { contract, Fault, isSecretSetting, moneyRights, type SettingKey } from '@hub/contract'
import { requireRecentProof } from '../../core/accounts/money-rights.ts'
import type { App } from '../../core/app.ts'
import { type Handlers, implement, type SignedInUser } from '../../core/implement.ts'
import { sealSecret } from '../../core/secrets/setting-secrets.ts'
import * as options from '../../db/queries/options.ts'
import { sendEmail } from '../../notifications/mail.ts'
import { testTaskStorage } from '../../relay/result-storage/storage.ts'
import { isSettingKey, readSetting, settingText } from '../../settings/index.ts'
import { isAlias, readAliases, writeAlias } from './aliases.ts'
import { auditedSettings } from './audited.ts'
import { allSampleEmails, sampleEmail } from './mail-templates.ts'
import { checkPreconditions } from './preconditions.ts'

const handlers: Handlers<typeof contract.settings.endpoints> = {
  list: async app => [
    ...Object.values(app.settings()).flatMap(section =>
      Object.entries(section).map(([key, value]) =>
        isSecretSetting(key)
          ? { key, value: '', is_set: value !== '' }
          : { key, value: settingText(value) },
      ),
    ),
    ...(await readAliases(app)),
  ],
  update: async (app, caller, { key, value }) => {
    if (isAlias(key)) await writeAlias(app, caller, { key, value })
    else await write(app, caller, { key, value })
    return null
  },
  mailTemplates: app => allSampleEmails(app),
  testMail: async (app, caller, { to, template, language = app.env.language }) => {
    const notification = { to, ...sampleEmail(app, template, language) }
    await sendEmail(app, notification, `test:${caller.requestId}`)
    return null
  },
  testTaskStorage: async app => {
    await testTaskStorage(app)
    return null
  },
}

export const settings = implement(contract.settings, handlers, auditedSettings)

/** A stored secret is sent only to the host that it was entered for: with another host it is removed. */
const secretOfHost: Partial<Record<SettingKey, SettingKey>> = {
  CFWorkerImageUrl: 'CFWorkerImageKey',
  SMTPServer: 'SMTPToken',
  GitHubServer: 'GitHubClientSecret',
  LarkServer: 'LarkClientSecret',
  OIDCIssuer: 'OIDCClientSecret',
  TaskStorageEndpoint: 'TaskStorageSecretKey',
  TelegramApiRoot: 'TelegramBotToken',
  WeChatServerAddress: 'WeChatServerToken',
}

const storedValue = (app: App, key: SettingKey): unknown =>
  (Object.assign({}, ...Object.values(app.settings())) as Record<SettingKey, unknown>)[key]

type OptionWrite = { key: string; value: string }

/** Settings that let administrators write money, and a default price of nothing. */
const givesAway = (key: SettingKey, value: unknown): boolean =>
  Object.values<string>(moneyRights).includes(key)
    ? value === true
    : key === 'DefaultPrice' && value !== '' && Number(value) === 0

const write = async (app: App, caller: SignedInUser, { key, value }: OptionWrite) => {
  if (!isSettingKey(key)) throw new Fault('setting.unknown')
  const read = readSetting(key, value)
  if (!read.ok) throw new Fault('setting.invalid', { hint: `\`${key}\`: ${read.why}.` })
  checkPreconditions(app, key, read.value)
  if (givesAway(key, read.value)) requireRecentProof(app, caller)
  await app.db.transaction().execute(async tx => {
    const text = settingText(read.value)
    await options.write(tx, key, isSecretSetting(key) ? sealSecret(app, key, text) : text)
    const secret = secretOfHost[key]
    if (secret && text !== storedValue(app, key)) await options.write(tx, secret, '')
    await app.changes.notify(tx, 'settings')
  })
  await app.reloadSettings()
}
