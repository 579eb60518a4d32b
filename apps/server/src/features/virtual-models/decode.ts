import { VirtualCandidate, type VirtualModel, type VirtualModelVersion } from '@hub/contract'
import type { VersionRow, VirtualModelRow } from '../../db/queries/virtual-models.ts'

type SavedColumns = Pick<VirtualModelRow, 'enable' | 'groups' | 'candidates' | 'version'>

const savedFields = ({ enable, groups, candidates, version }: SavedColumns) => ({
  version,
  enable: enable === 1,
  groups: JSON.parse(groups) as string[],
  // Versions of earlier releases may lack later fields.
  candidates: VirtualCandidate.array().parse(JSON.parse(candidates)),
})

export const toVirtualModel = (row: VirtualModelRow): VirtualModel => ({
  id: row.id,
  name: row.name,
  ...savedFields(row),
  updated_at: row.updated_at,
})

export const toVersion = (row: VersionRow): VirtualModelVersion => ({
  ...savedFields(row),
  created_at: row.created_at,
  actor_name: row.actor_name,
  restored_version: row.restored_version,
})
