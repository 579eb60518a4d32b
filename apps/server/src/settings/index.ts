import type { Settings } from '@hub/contract'
import type { Logger } from 'pino'
import type { Database } from '../db/index.ts'
import * as options from '../db/queries/options.ts'
import type { Topics } from '../state/topics.ts'
import { readSettings } from './read.ts'

export { isSetting, readSetting, settingText } from './read.ts'

export type OpenSettings = { current(): Settings; reload(): Promise<void> }

/** The settings in memory, read again whenever any node changes one. */
export const openSettings = async (
  db: Database,
  topics: Topics,
  log: Logger,
): Promise<OpenSettings> => {
  const complain = (key: string, why: string) =>
    log.warn({ key, why }, 'a stored setting does not fit; its default is used')
  const load = async () => readSettings(await options.all(db), complain)
  let settings = await load()
  const reload = async () => {
    settings = await load()
  }
  topics.on('settings', reload)
  return { current: () => settings, reload }
}
