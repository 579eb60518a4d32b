import { contract } from '@hub/contract'
import { mapPage } from '../../core/crud.ts'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/audit.ts'

export const audit = implement(contract.audit, {
  list: (app, _caller, input) =>
    mapPage(rows.list(app.db, input), row => ({ ...row, input: JSON.parse(row.input) })),
})
