import { postgresSkipReason, startSharedPostgres } from '../../../apps/server/test/postgres.ts'

/** Runs once before the first file of a run. The returned function runs after the last file. */
export default () => (postgresSkipReason() ? undefined : startSharedPostgres())
