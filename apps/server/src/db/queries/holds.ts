import type { Database } from '../index.ts'
import { idsPerEpoch } from '../operations.ts'

/**
 * The oldest open holds of an epoch, found by primary key because an id contains its epoch. A background call keeps its
 * hold after the death of its process.
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
    .where('id', 'not in', background =>
      background.selectFrom('background_calls').select('request_id'),
    )
    .where('id', 'not in', tasks =>
      tasks
        .selectFrom('tasks')
        .select('tasks.id')
        .where('settlement', 'not in', ['charged', 'released']),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}
