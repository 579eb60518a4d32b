import { makeMigratedFile } from '../../../apps/server/test/migrated.ts'
import { postgresSkipReason, startSharedPostgres } from '../../../apps/server/test/postgres.ts'
import { compileCache } from '../process/compile-cache.ts'

/** Runs once before the first file of a run. The returned function runs after the last file. */
export default async () => {
  // Each app of a test starts threads, which take a third of the CPU time with their code compiled before.
  process.env.NODE_COMPILE_CACHE = compileCache()
  const remove = await makeMigratedFile()
  const stop = postgresSkipReason() ? undefined : await startSharedPostgres()
  return async () => {
    await stop?.()
    remove()
  }
}
