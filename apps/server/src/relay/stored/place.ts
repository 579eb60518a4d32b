import { Fault } from '@hub/contract'
import type { Ask, AskedState, Dialect } from '@hub/dialects'
import type { Keeping } from '@hub/providers'
import type { App } from '../../core/app.ts'
import type { Call } from '../../core/call.ts'
import * as stored from '../../db/queries/stored.ts'
import type { Channel } from '../channels/channel.ts'
import { makeServing, type Serving } from '../channels/pick.ts'
import { servingFor } from '../channels/roster.ts'
import type { GoneOn } from '../kept/going-on.ts'
import { credentialOf, findHolder, isId, isOurs } from './holder.ts'
import { keepingEndpoint } from './keeping.ts'

/** Where a call may go. */
export type Place = {
  serving: Serving
  /** Of the account that keeps what the call goes on from; absent: any of the channel's. */
  credential?: string
  /** Below the address of the dialect. */
  under?: string
  /** What it goes on from is kept here: anybody may serve it. */
  previous?: string
  /** The same, once it was read. */
  goesOn?: GoneOn
}

type Asked = { ask: Ask; dialect: Dialect; isCompaction: boolean }

/**
 * Everybody who serves the model; or, for a call that needs what a vendor keeps, only who has it. A call that goes on from
 * a kept answer goes to the account that keeps it, or nowhere.
 */
export const placeFor = (app: App, call: Call, asked: Asked): Place | Promise<Place> => {
  const { ask, dialect, isCompaction } = asked
  const serving = servingFor(app, call, ask.model)
  const { state } = ask
  if (state && (isCompaction || isBound(state)))
    return bind(app, call, { ...asked, state, what: wanted(state, isCompaction) }, serving)
  if (isCompaction) throw new Fault('operation.unsupported', { detail: dialect.id })
  return serving instanceof Promise ? serving.then(each => ({ serving: each })) : { serving }
}

const isBound = ({ background, previous, conversation, refers }: AskedState): boolean =>
  background || refers || previous !== undefined || conversation !== undefined

const wanted = ({ background }: AskedState, isCompaction: boolean): Keeping => {
  if (isCompaction) return 'compaction'
  return background ? 'background' : 'answers'
}

type Bound = Asked & { state: AskedState; what: Keeping }

const bind = async (
  app: App,
  call: Call,
  bound: Bound,
  serving: Serving | Promise<Serving>,
): Promise<Place> => {
  const { ask, dialect, state, what, isCompaction } = bound
  if (isCompaction && (ask.stream || state.background))
    throw new Fault('request.invalid', { hint: 'It is answered whole and at once.' })
  const holder = await holderOf(app, call, state)
  if (holder && isOurs(holder)) {
    refuseOfOurs(bound)
    return { serving: await serving, previous: holder.id }
  }
  const all = (await serving).tiers.flatMap(each => each.channels)
  const asked = { dialect: dialect.id, model: ask.model, what }
  const able = all.filter(each => keepingEndpoint(each, asked) !== undefined)
  const under = isCompaction ? { under: '/compact' } : {}
  if (holder) return { ...accountOf(app, holder, able), ...under }
  if (able.length === 0) throw nobody(bound)
  const isAnywhere = !state.refers && state.conversation === undefined
  if (!isAnywhere && able.reduce((sum, each) => sum + each.credentials.length, 0) > 1)
    throw new Fault('response.previous', {
      hint: 'Several accounts serve this model: say by previous_response_id which of them has it.',
    })
  return { serving: makeServing(able), ...under }
}

/** A vendor could do it with an answer of its own, and knows nothing of this one. */
const refuseOfOurs = ({ state, what }: Bound): void => {
  const isMore = what !== 'answers' || state.conversation !== undefined || state.refers
  if (!isMore) return
  const hint = `${fieldOf(state, what)} needs a provider that keeps its answers, and this one is kept by the gateway.`
  throw new Fault('request.invalid', { hint })
}

/** Whoever keeps what the call goes on from; undefined: it goes on from nothing that is known here. */
const holderOf = async (
  app: App,
  { caller }: Call,
  { previous, conversation }: AskedState,
): Promise<stored.Holder | undefined> => {
  const id = previous ?? conversation
  if (id === undefined) return undefined
  const holder = await findHolder(app, caller.userId, id)
  // What is kept here is an answer, and never a conversation.
  if (holder && (previous !== undefined || !isOurs(holder))) return holder
  const field = previous === undefined ? 'conversation' : 'previous_response_id'
  // A conversation was not made here: it is its first user's.
  const isFree = field === 'conversation' && isId(id) && !(await stored.find(app.db, id))
  if (isFree) return undefined
  throw new Fault('response.previous', { hint: `${field}: ${id.slice(0, 100)}.` })
}

const accountOf = (
  app: App,
  { channel_id, credential: print }: stored.Holder,
  able: readonly Channel[],
): Place => {
  const channel = able.find(each => each.id === channel_id)
  const credential = channel && credentialOf(app, channel, print)
  if (!channel || credential === undefined) throw new Fault('response.gone')
  return { serving: makeServing([channel]), credential }
}

const nobody = ({ ask, state, what }: Bound): Fault => {
  const field = fieldOf(state, what)
  const hint = `${field} needs a provider that keeps its answers, and none of ${ask.model.slice(0, 100)} has it.`
  return new Fault('request.invalid', { hint })
}

const fieldOf = (state: AskedState, what: Keeping): string => {
  if (what === 'compaction') return 'A compaction'
  if (what === 'background') return "'background'"
  return state.conversation === undefined ? "'item_reference'" : "'conversation'"
}
