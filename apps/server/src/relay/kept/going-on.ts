import { Fault } from '@hub/contract'
import { type Ask, type Dialect, inputItems, type ResponseItem, withEarlier } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import { takeRoom } from '../body.ts'
import type { Exchange } from '../exchange.ts'
import { unreadable } from '../translate/translation.ts'
import { itemsOf, readChain } from './chain.ts'

/** A call that goes on from an answer that is kept here. */
export type GoneOn = {
  previous: string
  /** What it said itself. */
  input: readonly ResponseItem[]
  /** The same call with the whole conversation before it: what is reserved, sent and charged. */
  ask: Ask
}

type Going = { call: Pick<Call, 'caller'>; ask: Ask; dialect: Dialect; previous: string }

/** What the conversation adds counts as if the caller had sent it. */
export const goOn = async (
  app: App,
  exchange: Exchange,
  { call, ask, dialect, previous }: Going,
): Promise<GoneOn> => {
  const turns = await readChain(app, call.caller.userId, previous, bytes =>
    takeRoom(app, exchange, bytes),
  )
  const input = inputItems(ask)
  if (!input) throw new Fault('request.invalid', { hint: "'input' must be a text or a list." })
  const read = dialect.read(withEarlier(ask, itemsOf(turns), input))
  if (!read.ok) throw unreadable(read)
  const { model, argument } = ask
  const told = { ...read.ask, model, ...(argument === undefined ? {} : { argument }) }
  return { previous, input, ask: told }
}
