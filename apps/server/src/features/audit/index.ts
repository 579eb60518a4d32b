import { AuditChange, type Contract, contract, isAudited, roles } from '@hub/contract'
import { z } from 'zod'
import { mapPage } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/audit.ts'

const StoredChanges = z.object({ changes: z.array(AuditChange), omitted: z.number() })

export const audit = implement(contract.audit, {
  list: (app, { userId, role }, input) => {
    // Rows without a known role, such as refused sign-ins and those of the gateway, belong to the super administrator.
    const visible = role >= roles.root ? {} : { visibleTo: { userId, role } }
    return mapPage(rows.list(app.db, { ...input, ...visible }), row => {
      const { changes, omitted } = readChanges(row.changes)
      return { ...row, input: JSON.parse(row.input), changes, changes_omitted: omitted }
    })
  },
  actions: () => [...auditedEndpoints, ...actionsWithoutEndpoint].sort(),
})

const auditedEndpoints = Object.entries(contract).flatMap(([name, resource]) =>
  Object.entries((resource as Contract[keyof Contract]).endpoints)
    .filter(([, endpoint]) => isAudited(endpoint))
    .map(([endpoint]) => `${name}.${endpoint}`),
)

/** Actions of the gateway itself and of its command line. */
const actionsWithoutEndpoint = [
  'channels.disable',
  'channels.disable-key',
  'channels.enable-key',
  'channels.enable',
  'users.resetPassword',
]

/** Rows of older releases have no changes. */
const readChanges = (text: string | null) =>
  text === null ? { changes: [], omitted: 0 } : StoredChanges.parse(JSON.parse(text))
