import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Lease } from '../../state/index.ts'
import { leaseSeconds } from '../../state/state.ts'

/** Two renewals in a row may fail before a lease ends. */
const renewMs = (leaseSeconds * 1000) / 3

type LeaseRenewal = { add(lease: Lease): void; remove(id: string): void }

/** Renews the leases of running calls, as long as there are any. The leases of a node that dies end by themselves. */
export const renewedLeases: (app: App) => LeaseRenewal = appScoped(app => {
  const live = new Map<string, Lease[]>()
  let timer: NodeJS.Timeout | undefined

  const renew = () => {
    app.state
      .renew([...live.values()].flat())
      .catch(error => app.log.warn({ err: error }, 'the limits of running calls were not renewed'))
  }
  return {
    add: lease => {
      live.set(lease.id, [...(live.get(lease.id) ?? []), lease])
      timer ??= setInterval(renew, renewMs).unref()
    },
    remove: id => {
      live.delete(id)
      if (live.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
})
