import { type Ask, type Dialect, type Named, openaiChat } from '@hub/dialects'
import { holding } from '../billing/hold.ts'
import type { App } from '../core/app.ts'
import type { Call } from '../core/call.ts'
import { withKnown } from '../lib/known.ts'
import { admitModel, admitting, type Pass } from './admit.ts'
import { attempt } from './attempt.ts'
import { readBody } from './body.ts'
import { type Idempotency, once } from './callers/replay.ts'
import { countedPrompt } from './channels/pick.ts'
import { billedNames } from './channels/roster.ts'
import type { Exchange } from './exchange.ts'
import { type Identity, identify } from './identify.ts'
import { goOn } from './kept/going-on.ts'
import { retrying } from './retry.ts'
import { type Place, placeFor } from './stored/place.ts'
import { inMessages } from './translate/in-messages.ts'
import { unreadable } from './translate/translation.ts'

/** One request of a caller, from its words to its answer. What is asked for stands in the dialect. */
export const relayCall = (app: App, exchange: Exchange, dialect: Dialect): Promise<void> => {
  const serveAs = (identity: Identity) =>
    admitting(app, exchange, dialect, identity.token, pass =>
      serve(app, exchange, { identity, dialect, pass }),
    )
  return withKnown(identify(app, exchange), serveAs)
}

type Admitted = { identity: Identity; dialect: Dialect; pass: Pass }

const serve = async (app: App, exchange: Exchange, admitted: Admitted): Promise<void> => {
  const { identity, dialect, pass } = admitted
  const { token } = identity
  const body = await readBody(app, exchange)
  const ask = read(dialect, body, exchange.named)
  admitModel(token, ask.model)
  const call = makeCall(exchange, identity)
  await once(app, exchange, token.caller, body, idempotency =>
    answer(app, exchange, { dialect, pass, call, ask, idempotency }),
  )
}

type Work = {
  dialect: Dialect
  pass: Pass
  call: Call
  ask: Ask
  idempotency: Idempotency | undefined
}

const answer = (app: App, exchange: Exchange, work: Work): Promise<void> => {
  const { call, ask, dialect } = work
  const isCompaction = exchange.operation === 'compact'
  return withKnown(placeFor(app, call, { ask, dialect, isCompaction }), place =>
    follow(app, exchange, work, place),
  )
}

/** What goes on from an answer that is kept here is from now on the whole conversation. */
const follow = (app: App, exchange: Exchange, work: Work, place: Place): Promise<void> => {
  const { previous } = place
  if (previous === undefined) return charge(app, exchange, work, place)
  const { call, ask, dialect } = work
  return goOn(app, exchange, { call, ask, dialect, previous }).then(goesOn =>
    charge(app, exchange, { ...work, ask: goesOn.ask }, { ...place, goesOn }),
  )
}

const charge = (app: App, exchange: Exchange, work: Work, place: Place): Promise<void> => {
  const { dialect, pass, ask, idempotency, call } = work
  const { serving } = place
  const { model, stream, hasTools, outputMax, n } = ask
  const models = billedNames(serving, model)
  const promptTokens = countedPrompt(ask, serving.preCost)
  // What is made in the background cannot ask for more on the way.
  const isMetered = stream && ask.state?.background !== true
  const reservation = { models, promptTokens, outputMax, n, stream: isMetered, idempotency }
  const wanted = { model, stream, hasTools, serving }
  return pass(call, reservation, watch =>
    holding(app, call, reservation, hold => {
      const held = watch(hold)
      return retrying(app, call, exchange, wanted, channel =>
        attempt(app, exchange, { ask, dialect, held, channel, call, place }),
      )
    }),
  )
}

const read = (dialect: Dialect, body: Buffer, named: Named | undefined): Ask => {
  const result = dialect.read(body, named)
  if (!result.ok) throw unreadable(result)
  return withoutArgument(dialect === openaiChat ? inMessages(result.ask) : result.ask)
}

/** `gpt-5#high`: what follows the `#` is an argument for the provider, and the model is what stands before it. */
const withoutArgument = (ask: Ask): Ask => {
  const at = ask.model.indexOf('#')
  if (at <= 0) return ask
  return { ...ask, model: ask.model.slice(0, at), argument: ask.model.slice(at + 1) }
}

const makeCall = ({ id, ip, startedAt }: Exchange, { token, pin }: Identity): Call => ({
  id,
  caller: token.caller,
  ip,
  startedAt,
  pin,
})
