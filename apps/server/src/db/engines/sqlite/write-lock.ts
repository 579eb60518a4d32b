/**
 * Serialises the users of the single write connection. A transaction holds the lock over several messages. The ledger
 * has priority, so that it never waits behind a queue of console writes.
 */
export type WriteLock = { acquire(hasPriority: boolean): Promise<() => void> }

export const makeWriteLock = (): WriteLock => {
  const ledger: (() => void)[] = []
  const others: (() => void)[] = []
  let isHeld = false

  const passOn = () => {
    const next = ledger.shift() ?? others.shift()
    if (next) next()
    else isHeld = false
  }

  const releaseOnce = () => {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      passOn()
    }
  }

  const acquire = (hasPriority: boolean) => {
    if (!isHeld) {
      isHeld = true
      return Promise.resolve(releaseOnce())
    }
    const queue = hasPriority ? ledger : others
    return new Promise<() => void>(resolve => queue.push(() => resolve(releaseOnce())))
  }

  return { acquire }
}
