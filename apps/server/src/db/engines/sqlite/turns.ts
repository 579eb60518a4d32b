/**
 * Who may use the one write connection. A transaction keeps its turn over several messages; the ledger goes first
 * between two of them, so that money never waits behind a queue of console writes.
 */
export type Turns = { take(first: boolean): Promise<() => void> }

export const makeTurns = (): Turns => {
  const ledger: (() => void)[] = []
  const others: (() => void)[] = []
  let taken = false

  const pass = () => {
    const next = ledger.shift() ?? others.shift()
    if (next) next()
    else taken = false
  }

  const once = () => {
    let given = false
    return () => {
      if (given) return
      given = true
      pass()
    }
  }

  const take = (first: boolean) => {
    if (!taken) {
      taken = true
      return Promise.resolve(once())
    }
    const queue = first ? ledger : others
    return new Promise<() => void>(resolve => queue.push(() => resolve(once())))
  }

  return { take }
}
