import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import * as rows from '../../db/queries/audit.ts'

export const audit = implement(contract.audit, {
  list: async (app, _caller, input) => {
    const page = await rows.list(app.db, input)
    return { ...page, data: page.data.map(row => ({ ...row, input: JSON.parse(row.input) })) }
  },
})
