import type { Database } from '../index.ts'
import type { ServiceFailuresTable } from '../tables/service-failures.ts'

type ServiceKey = Pick<ServiceFailuresTable, 'service' | 'subject'>
type NewFailure = ServiceKey & Pick<ServiceFailuresTable, 'code' | 'detail'> & { now: number }

/** Counts one more failure in the statement, so that each number is returned once. */
export const add = (db: Database, { now, ...failure }: NewFailure) =>
  db
    .insertInto('service_failures')
    .values({ ...failure, since: now, last_at: now, failures: 1 })
    .onConflict(conflict =>
      conflict.columns(['service', 'subject']).doUpdateSet(({ eb, ref }) => ({
        failures: eb(ref('service_failures.failures'), '+', 1),
        last_at: now,
        code: failure.code,
        detail: failure.detail,
      })),
    )
    .returning(['failures', 'since'])
    .executeTakeFirstOrThrow()

export const remove = async (db: Database, { service, subject }: ServiceKey): Promise<void> => {
  await db
    .deleteFrom('service_failures')
    .where('service', '=', service)
    .where('subject', '=', subject)
    .execute()
}

export const listAll = (db: Database): Promise<ServiceFailuresTable[]> =>
  db.selectFrom('service_failures').selectAll().orderBy('since').orderBy('subject').execute()

export const find = (db: Database, { service, subject }: ServiceKey) =>
  db
    .selectFrom('service_failures')
    .selectAll()
    .where('service', '=', service)
    .where('subject', '=', subject)
    .executeTakeFirst()
