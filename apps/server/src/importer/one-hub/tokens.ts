import type { TokenSettings } from '../sources/common-tables.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { jsonOf } from '../sources/values.ts'

type Setting = {
  billing_tag?: unknown
  limits?: {
    limit_model_setting?: { enabled?: boolean; models?: unknown }
    limits_ip_setting?: { enabled?: boolean; whitelist?: unknown }
  }
}

/** One Hub keeps these as JSON, each limit with a switch of its own. */
export const tokenSettingsOf = (row: SourceRow): TokenSettings => {
  const { limits, billing_tag } = (jsonOf(row, 'setting') ?? {}) as Setting
  const [models, addresses] = [limits?.limit_model_setting, limits?.limits_ip_setting]
  return {
    billingTag: typeof billing_tag === 'string' ? billing_tag : '',
    models: models?.enabled ? textsOf(models.models) : [],
    addresses: addresses?.enabled ? textsOf(addresses.whitelist) : [],
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String).filter(Boolean) : []
