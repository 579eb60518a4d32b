import * as rows from '../../../db/queries/owners.ts'
import type { GatewayData } from '../../gateway-data.ts'
import type { ImportContext } from '../context.ts'

/** Names and icons of the source replace those of the built-in owners. */
export const writeOwners = async (
  { tx, report }: ImportContext,
  imported: GatewayData['owners'],
): Promise<void> => {
  for (const { id, name, icon } of imported) {
    const existing = await rows.find(tx, id)
    // The icon of a built-in owner stands in the console; an empty one would hide it.
    const owner = { id, name, icon: icon || existing?.icon || '' }
    if (existing) await rows.update(tx, owner)
    else await rows.insert(tx, owner)
    report.carry('model_owned_by')
  }
}
