import { isSecretSetting } from '@hub/contract'
import type { App } from '../../core/app.ts'
import type { ReadAuditedRows } from '../../core/implement.ts'
import * as groups from '../../db/queries/groups.ts'
import * as prices from '../../db/queries/prices.ts'
import { settingText } from '../../settings/index.ts'

/** The written setting, or the groups and prices that One Hub's options are written to. Secrets are fingerprints. */
export const auditedSettings: ReadAuditedRows = async (
  app,
  _caller,
  { action, input: { key } },
) => {
  if (action !== 'settings.update') return {}
  if (key === 'GroupRatio') {
    const all = await groups.listRatios(app.db)
    return Object.fromEntries(all.map(({ symbol, ratio }) => [symbol, { ratio: Number(ratio) }]))
  }
  if (key === 'ExtraTokenPriceJson') {
    const all = (await prices.listAll(app.db)).map(prices.asPrice)
    return Object.fromEntries(all.map(({ model, extra_ratios }) => [model, { extra_ratios }]))
  }
  const values = Object.assign({}, ...Object.values(app.settings())) as Record<string, unknown>
  if (typeof key !== 'string' || !Object.hasOwn(values, key)) return {}
  return { [key]: { value: shownValue(app, key, values[key]) } }
}

const shownValue = (app: App, key: string, value: unknown): string => {
  const text = settingText(value)
  if (!isSecretSetting(key) || text === '') return text
  return `fingerprint:${app.seal.fingerprint('audit', JSON.stringify(text)).slice(0, 16)}`
}
