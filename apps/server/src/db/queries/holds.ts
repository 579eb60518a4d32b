import type { Database } from '../index.ts'
import { idsPerEpoch } from '../operations.ts'

/**
 * The oldest open holds of an epoch: an id says which epoch it is of, so the key finds them. A call whose answer is still
 * being made elsewhere keeps its hold, whatever became of its process.
 */
export const listIdsOfEpoch = async (
  db: Database,
  epoch: number,
  limit: number,
): Promise<number[]> => {
  const rows = await db
    .selectFrom('holds')
    .select('id')
    .where('id', '>=', epoch * idsPerEpoch)
    .where('id', '<', (epoch + 1) * idsPerEpoch)
    .where('id', 'not in', kept => kept.selectFrom('background_calls').select('request_id'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}
