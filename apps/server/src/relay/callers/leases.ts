import type { App } from '../../core/app.ts'
import { perApp } from '../../core/per-app.ts'
import type { Lease } from '../../state/index.ts'
import { leaseSeconds } from '../../state/state.ts'

/** Often enough that two looks in a row may fail before a lease ends. */
const renewMs = (leaseSeconds * 1000) / 3

type Renewed = { add(lease: Lease): void; drop(id: string): void }

/** The leases of this process that run now. While there are any, the limits are told so: a node that dies tells nothing. */
export const renewedLeases: (app: App) => Renewed = perApp(app => {
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
    drop: id => {
      live.delete(id)
      if (live.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
})
