import { NewModelInfo } from '@hub/contract'
import * as rows from '../../db/queries/model-info.ts'
import type { ImportedModelInfo } from '../gateway-data.ts'
import type { ImportContext } from './context.ts'

const table = 'model_info'

/** One Hub may have several rows of a model. The one that was changed last is carried. */
export const writeModelInfo = async (
  { tx, report }: ImportContext,
  imported: readonly ImportedModelInfo[],
): Promise<void> => {
  const seen = new Set<string>()
  const carried: ImportedModelInfo[] = []
  for (const info of imported.toSorted(newestFirst)) {
    if (!NewModelInfo.shape.model.safeParse(info.model).success)
      report.skip(table, nameOf(info), 'its model has no name, or one of more than 100 characters')
    else if (seen.has(info.model))
      report.skip(table, nameOf(info), 'a newer row describes the same model')
    else carried.push(info)
    seen.add(info.model)
  }
  for (const info of carried.toSorted((a, b) => a.id - b.id)) {
    const { fields, left } = acceptedFields(info)
    for (const reason of left) report.change(table, nameOf(info), `not carried: ${reason}`)
    const times = { created_at: info.createdAt, updated_at: info.updatedAt }
    await rows.insert(tx, { ...fields, ...times })
    report.carry(table)
  }
}

const newestFirst = (a: ImportedModelInfo, b: ImportedModelInfo): number =>
  b.updatedAt - a.updatedAt || b.id - a.id

const nameOf = ({ id, model }: ImportedModelInfo) => ({ id, name: model })

/** A field that is not accepted here gets its default, so that the rest of the row is carried. */
const acceptedFields = ({ model, fields }: ImportedModelInfo) => {
  const { error } = NewModelInfo.safeParse({ model, ...fields })
  const issues = error?.issues ?? []
  const refused = new Set(issues.map(({ path }) => String(path[0])))
  const kept = Object.entries(fields).filter(([name]) => !refused.has(name))
  return {
    fields: NewModelInfo.parse({ model, name: model, ...Object.fromEntries(kept) }),
    left: issues.map(({ path, message }) => `\`${path.join('.')}\` ${message}`),
  }
}
