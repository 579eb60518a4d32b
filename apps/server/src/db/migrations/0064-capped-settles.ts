import type { Migration } from 'kysely/migration'

/**
 * Replaced the functions of the ledger, so that a settle charges at most what the cap of its token covers. The migration
 * 0065 replaces them again, with a column that they need, and nodes of the release before call them in between.
 */
export const cappedSettles: Migration = { up: async () => {} }
