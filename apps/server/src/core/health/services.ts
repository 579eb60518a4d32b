import { Fault, type Service } from '@hub/contract'
import { administrators } from '../../db/queries/notification-targets.ts'
import * as failures from '../../db/queries/service-failures.ts'
import { type App, nowSeconds } from '../app.ts'
import { emit } from '../notifications/emit.ts'

/** A single failure may pass by itself. The list is read about once an interval, so that its second one counts. */
export const notifiedAfter: Readonly<Record<Service, number>> = {
  mail: 3,
  notifier: 3,
  payment: 3,
  price_list: 2,
  bot: 3,
  task_storage: 3,
  balance: 2,
  model_list: 3,
}

type HealthApp = Pick<App, 'db' | 'now' | 'log'>
/** `id` and `name` are those of the target, gateway or channel; a site has one of the other services. */
type Subject = { service: Service; id?: number; name?: string }

/**
 * Records that a call of a service failed. It stands in "What needs attention?" until a call succeeds, and administrators
 * get one notification for each such time. Never rejects: the caller has a failure to handle already.
 */
export const reportFailure = async (
  app: HealthApp,
  { service, id = 0, name = '' }: Subject,
  error: unknown,
): Promise<void> => {
  const code = error instanceof Fault ? error.code : 'server.failed'
  // The text of an unexpected error may contain an address with a secret. PostgreSQL refuses NUL in a text.
  const text = error instanceof Fault ? error.message : 'The gateway failed.'
  const detail = text.replaceAll('`', '').replaceAll('\0', '').slice(0, 500)
  try {
    await app.db.transaction().execute(async tx => {
      const row = { service, subject: id, code, detail, now: nowSeconds(app) }
      const counted = await failures.add(tx, row)
      if (counted.failures !== notifiedAfter[service]) return
      await emit(app, tx, {
        event: `${service}.failed`,
        key: `${service}.failed:${id}:${counted.since}`,
        userIds: [administrators],
        facts: { name, reason: detail },
      })
    })
  } catch (err) {
    app.log.warn({ err, service }, 'a failure could not be recorded')
  }
}

/** Records that a call of a service succeeded. Never rejects. */
export const reportSuccess = async (
  app: Pick<App, 'db' | 'log'>,
  { service, id = 0 }: Subject,
): Promise<void> => {
  try {
    await failures.remove(app.db, { service, subject: id })
  } catch (err) {
    app.log.warn({ err, service }, 'a success could not be recorded')
  }
}
