import type { TokenSettings } from '../sources/common-tables.ts'
import { isJsonObject } from '../sources/json.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { jsonOf, textOf } from '../sources/values.ts'

type List = { enabled?: unknown; models?: unknown; whitelist?: unknown }
type Setting = {
  billing_tag?: unknown
  limits?: { limit_model_setting?: List; limits_ip_setting?: List }
}

/** One Hub keeps these as JSON, each limit with a switch of its own. */
export const tokenSettingsOf = (row: SourceRow): TokenSettings => {
  const { limits, billing_tag } = (jsonOf(row, 'setting') ?? {}) as Setting
  const [models, addresses] = [limits?.limit_model_setting, limits?.limits_ip_setting]
  const lists = {
    models: models?.enabled ? textsOf(models.models) : [],
    addresses: addresses?.enabled ? textsOf(addresses.whitelist) : [],
  }
  return {
    ...lists,
    billingTag: typeof billing_tag === 'string' ? billing_tag : '',
    problem:
      keyProblem(row) ??
      (limits !== undefined && !isJsonObject(limits)
        ? 'its limits cannot be read'
        : problemOf(!!models?.enabled, !!addresses?.enabled, lists)),
  }
}

/** Bytes of an older key and of a newer one, which alone One Hub and done-hub look up. */
const keyBytes = [48, 59]

const keyProblem = (row: SourceRow): string | undefined => {
  const bytes = Buffer.byteLength(textOf(row, 'key').trim())
  if (keyBytes.includes(bytes)) return undefined
  return `its key has ${bytes} bytes, and only keys of ${keyBytes.join(' or ')} were accepted`
}

/** An empty list that is switched on allows nothing. */
const problemOf = (
  limitsModels: boolean,
  limitsAddresses: boolean,
  { models, addresses }: { models: string[]; addresses: string[] },
): string | undefined => {
  if (limitsModels && models.length === 0) return 'its list of models is empty'
  if (limitsAddresses && addresses.length === 0) return 'its list of addresses is empty'
  return undefined
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String).filter(Boolean) : []
