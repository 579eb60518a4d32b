import type { Settings } from '@hub/contract'
import type { Logger } from 'pino'
import type { Database } from '../db/index.ts'
import * as options from '../db/queries/options.ts'
import type { ChangeNotifications } from '../state/change-notifications.ts'
import { readSettings } from './read.ts'

export { isSettingKey, readSetting, readSettings, settingText } from './read.ts'

export type OpenSettings = { current(): Settings; reload(): Promise<void> }

/** Keeps the settings in memory and reloads them after each change by any node. */
export const openSettings = async (
  db: Database,
  topics: ChangeNotifications,
  log: Logger,
): Promise<OpenSettings> => {
  const reportInvalid = (key: string, why: string) =>
    log.warn({ key, why }, 'a stored setting is invalid, its default is used')
  const load = async () => readSettings(await options.listAll(db), reportInvalid)
  let settings = await load()
  const reload = async () => {
    settings = await load()
  }
  topics.on('settings', reload)
  return { current: () => settings, reload }
}
