import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type DatabaseProxy = {
  port: number
  /** Milliseconds that each piece waits on its way to the server. */
  delay(milliseconds: number): void
  /** Breaks what is connected and refuses what comes, until `restore`. */
  cut(): void
  restore(): void
  connections(): number
  close(): Promise<void>
}

/** Starts a proxy between a gateway and a server on a Unix socket that simulates a slow or broken network. */
export const startProxy = async (target: string): Promise<DatabaseProxy> => {
  const open = new Set<Socket>()
  let delayMs = 0
  let isCut = false

  /** Forwards chunks in order, each delayed by the setting at its arrival. */
  const pass = (from: Socket, to: Socket, isLate: boolean) => {
    let last: Promise<unknown> = Promise.resolve()
    from.on('data', chunk => {
      if (!isLate) return void to.write(chunk)
      const due = sleep(delayMs)
      last = last.then(() => due).then(() => to.write(chunk))
    })
    from.on('close', () => to.destroy()).on('error', () => to.destroy())
  }

  const server = createServer({ noDelay: true }, client => {
    if (isCut) return void client.resetAndDestroy()
    const back = connect(target)
    for (const each of [client, back]) {
      open.add(each)
      each.once('close', () => open.delete(each))
    }
    pass(client, back, true)
    pass(back, client, false)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))

  const cut = () => {
    isCut = true
    for (const each of open) each.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    delay: milliseconds => {
      delayMs = milliseconds
    },
    cut,
    restore: () => {
      isCut = false
    },
    connections: () => open.size / 2,
    close: async () => {
      cut()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
