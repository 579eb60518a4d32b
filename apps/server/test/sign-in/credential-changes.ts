import type { TestApp } from '../harness.ts'

/**
 * Gives a user a notification target, and returns a function that lists the changes of credentials that were to be sent
 * to it since, in their order. Nothing is sent.
 */
export const watchCredentials = async ({ app: { db } }: TestApp, userId: number) => {
  const { id } = await db
    .insertInto('notification_targets')
    .values({
      user_id: userId,
      name: 'Watch',
      type: 'webhook',
      config_sealed: '',
      events: '["credential.changed"]',
      language: 'en_US',
      digest: 'none',
      quiet_from: '',
      quiet_to: '',
      enabled: 1,
      next_at_ms: 0,
      created_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return async (): Promise<string[]> => {
    const rows = await db
      .selectFrom('notifications')
      .select('facts')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.map(({ facts }) => JSON.parse(facts).change)
  }
}
