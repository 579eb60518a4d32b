import { makeMigratedFile } from '../../../apps/server/test/migrated.ts'
import { postgresSkipReason, startSharedPostgres } from '../../../apps/server/test/postgres.ts'

/** Runs once before the first file of a run. The returned function runs after the last file. */
export default async () => {
  const remove = await makeMigratedFile()
  const stop = postgresSkipReason() ? undefined : await startSharedPostgres()
  return async () => {
    await stop?.()
    remove()
  }
}
