import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { type AddressSet, addressUnit, plainAddress } from '../lib/ip.ts'

/** One program opens a connection per call it has at once; no caller of a public address needs more. */
const connectionsPerAddress = 1_024

/** Counts open connections per address unit. */
export const makeConnectionCounter = (max: number, isExempt: AddressSet) => {
  const counts = new Map<string, number>()
  return {
    /** Returns false if the address has as many connections as it may have. */
    open(address: string): boolean {
      if (isExempt(address)) return true
      const unit = addressUnit(plainAddress(address))
      const count = counts.get(unit) ?? 0
      if (count >= max) return false
      counts.set(unit, count + 1)
      return true
    },
    close(address: string): void {
      const unit = addressUnit(plainAddress(address))
      const count = counts.get(unit) ?? 0
      if (count > 1) counts.set(unit, count - 1)
      else counts.delete(unit)
    },
  }
}

/**
 * Limits the connections of each address, so that one caller cannot take all places. `isExempt` names addresses that stand
 * for many callers: proxies, and private networks, whose addresses hide the callers behind them.
 */
export const limitConnections = (server: Server, isExempt: AddressSet): void => {
  const counter = makeConnectionCounter(connectionsPerAddress, isExempt)
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    if (counter.open(address)) socket.once('close', () => counter.close(address))
    else socket.destroy()
  })
}
