import type { Generated } from 'kysely'

type VirtualModelFields = {
  name: string
  enable: number
  /** JSON: symbols of user groups. */
  groups: string
  /** JSON: the candidates as the contract has them. */
  candidates: string
  version: number
}

export type VirtualModelsTable = VirtualModelFields & {
  id: Generated<number>
  /** Seconds. */
  updated_at: number
}

/** Rows are never changed or deleted. */
export type VirtualModelVersionsTable = VirtualModelFields & {
  model_id: number
  /** Seconds. */
  created_at: number
  actor_name: string
  restored_version: number | null
}
