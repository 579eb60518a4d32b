import type { ImportedToken } from '../gateway-data.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { jsonOf } from '../sources/values.ts'

type Setting = {
  limits?: {
    limit_model_setting?: { enabled?: boolean; models?: unknown }
    limits_ip_setting?: { enabled?: boolean; whitelist?: unknown }
  }
}

/** One Hub keeps the limits of a key as JSON, each with a switch of its own. */
export const tokenLimitsOf = (row: SourceRow): Pick<ImportedToken, 'models' | 'addresses'> => {
  const { limits } = (jsonOf(row, 'setting') ?? {}) as Setting
  const [models, addresses] = [limits?.limit_model_setting, limits?.limits_ip_setting]
  return {
    models: models?.enabled ? textsOf(models.models) : [],
    addresses: addresses?.enabled ? textsOf(addresses.whitelist) : [],
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String).filter(Boolean) : []
