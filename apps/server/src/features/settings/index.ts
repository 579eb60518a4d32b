import { contract, Fault, isSecretSetting } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { implement } from '../../core/implement.ts'
import * as options from '../../db/queries/options.ts'
import { isSettingKey, readSetting, settingText } from '../../settings/index.ts'
import { isAlias, writeAlias } from './aliases.ts'
import { sendEmail } from './mail.ts'
import { sealSecret } from './secrets.ts'
import { testEmail } from './test-email.ts'

export const settings = implement(contract.settings, {
  list: app =>
    Object.values(app.settings()).flatMap(section =>
      Object.entries(section).map(([key, value]) =>
        isSecretSetting(key)
          ? { key, value: '', is_set: value !== '' }
          : { key, value: settingText(value) },
      ),
    ),
  update: async (app, _caller, { key, value }) => {
    if (isAlias(key)) await writeAlias(app, key, value)
    else await write(app, key, value)
    return null
  },
  testMail: async (app, caller, { to }) => {
    const { language } = app.env
    const notification = { to, ...testEmail(language, app.settings().site.SystemName) }
    await sendEmail(app, notification, `test:${caller.requestId}`)
    return null
  },
})

const write = async (app: App, key: string, value: string) => {
  if (!isSettingKey(key)) throw new Fault('setting.unknown')
  const read = readSetting(key, value)
  if (!read.ok) throw new Fault('setting.invalid', { hint: `\`${key}\`: ${read.why}.` })
  await app.db.transaction().execute(async tx => {
    const text = settingText(read.value)
    await options.write(tx, key, isSecretSetting(key) ? sealSecret(app, key, text) : text)
    await app.changes.notify(tx, 'settings')
  })
  await app.reloadSettings()
}
