import type { JsonMap } from '../sources/json.ts'
import type { SourceRow } from '../sources/source-database.ts'
import { jsonOf, textOf } from '../sources/values.ts'
import { type LiteLlmSecrets, mapOf } from './secrets.ts'

/** A row of the model table: one model at one vendor. */
export type Deployment = {
  row: SourceRow
  id: string
  /** The name that callers send. */
  model: string
  /** Undefined: encrypted, and no salt was given. */
  params: JsonMap | undefined
  info: JsonMap
}

/** Reads the deployments with their secrets, and those of the named credentials that they use. */
export const readDeployments = (
  rows: readonly SourceRow[],
  credentialRows: readonly SourceRow[],
  secrets: LiteLlmSecrets,
): Deployment[] => {
  const credentials = new Map(
    credentialRows.map(row => [
      textOf(row, 'credential_name'),
      secrets.open(mapOf(jsonOf(row, 'credential_values'))),
    ]),
  )
  return rows.map(row => {
    const own = secrets.open(mapOf(jsonOf(row, 'litellm_params')))
    const shared = credentials.get(String(own?.litellm_credential_name ?? ''))
    const info = mapOf(jsonOf(row, 'model_info'))
    const publicName = String(info.team_public_model_name ?? '')
    return {
      ...{ row, info, id: textOf(row, 'model_id') },
      model: publicName || textOf(row, 'model_name'),
      params: own && { ...shared, ...own },
    }
  })
}
