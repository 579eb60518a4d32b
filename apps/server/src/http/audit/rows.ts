import { Fault } from '@hub/contract'
import type { AuditedRows, Feature, ReadAuditedRows } from '../../core/implement.ts'

/** Returns the feature's own reader; otherwise one for resources whose rows administrators read by their id. */
export const auditedRowsOf = ({
  resource,
  handlers,
  auditedRows,
}: Feature): ReadAuditedRows | undefined => {
  if (auditedRows) return auditedRows
  const { get } = resource.endpoints
  if (get?.access !== 'admin' && get?.access !== 'root') return undefined
  if (!get.input.safeParse({ id: 1 }).success) return undefined
  return async (app, caller, { ids, context }) => {
    const rows: AuditedRows = {}
    for (const id of ids) {
      const row = await unlessMissing(async () => handlers.get!(app, caller, { id }, context))
      if (row !== undefined) rows[id] = get.response.parse(row) as object
    }
    return rows
  }
}

const unlessMissing = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}
