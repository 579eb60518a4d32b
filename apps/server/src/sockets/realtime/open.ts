import { inputTokens, outputTokens, type ParsedRequest, type Usage } from '@hub/dialects'
import type { Reservation } from '../../billing/open-hold.ts'
import { priceCache } from '../../billing/price-cache.ts'
import type { App } from '../../core/app.ts'
import type { CallContext, RoutingTarget } from '../../relay/context.ts'
import { billedModels } from '../../relay/routing/channel-index.ts'
import type { SocketSession } from '../session.ts'
import { connectUpstream, type SessionStart, type UpstreamSocket } from './connect.ts'
import { RealtimeSession } from './session.ts'
import { openTurn, type RealtimeTurn, type TurnFields } from './turn.ts'

/** The vendor ends a session after this: https://developers.openai.com/api/docs/guides/realtime-conversations */
export const ageMaxMs = 60 * 60 * 1_000
/** Instructions, tools and half a minute of audio, before anything is known of a session. */
const firstPromptTokens = 1_000
/** The vendor's own limit of one response: https://developers.openai.com/api/docs/guides/realtime-costs */
const outputMax = 4_096

export type RealtimeRequest = Pick<TurnFields, 'run' | 'request' | 'isReportedByUpgrade'> & {
  model: string
  target: RoutingTarget
  start: SessionStart
  /** Runs before the channels are asked. */
  onCall?: (call: CallContext) => void
}

/** A session whose channel has accepted, and whose first response is reserved. */
export type OpenedRealtime = {
  upstream: UpstreamSocket
  open(session: SocketSession): RealtimeSession
  abandon(): void
}

export type OpeningRealtime = {
  opened: Promise<OpenedRealtime>
  /** The caller left. */
  abort(): void
}

/** Reserves the first response, and connects to a channel. */
export const openRealtime = (app: App, request: RealtimeRequest): OpeningRealtime => {
  const { model, target, start, onCall, ...common } = request
  const fields = { ...common, parsed: requestOf(model, start), target }
  let upstream: UpstreamSocket | undefined
  const turn = openTurn(app, {
    ...fields,
    reservation: reservationOf(billedModels(target.candidates, model), tokensOf(start)),
    begin: async call => {
      onCall?.(call)
      upstream = await connectUpstream(app, call, start)
    },
  })
  return {
    opened: turn.ready.then(call => openedBy(app, { ...fields, start }, turn, call, upstream!)),
    abort: turn.abort,
  }
}

type SessionFields = Omit<TurnFields, 'reservation' | 'begin'> & { start: SessionStart }

const openedBy = (
  app: App,
  { start, ...fields }: SessionFields,
  turn: RealtimeTurn,
  call: CallContext,
  upstream: UpstreamSocket,
): OpenedRealtime => {
  const { billedModel, channel } = upstream.attempt
  return {
    upstream,
    open: session =>
      new RealtimeSession(app, {
        ...{ session, upstream, turn, call, format: start.format },
        rewrite: start.rewriterFor?.(upstream.attempt),
        openTurn: promptTokens =>
          openTurn(app, { ...fields, reservation: reservationOf([billedModel], promptTokens) }),
        chargeTranscription: (usage, named, isEstimated) => {
          const isPriced = named !== undefined && priceCache(app).find(named, call.caller.group)
          const charged = { usage, model: isPriced ? named : billedModel, isEstimated }
          return charge(app, fields, { ...charged, channelId: channel.id })
        },
      }),
    abandon: () => {
      upstream.socket.terminate()
      void turn.end().catch(() => undefined)
    },
  }
}

type Transcription = { usage: Usage; model: string; isEstimated: boolean; channelId: number }

/** A transcription is charged at the price of its own model, or else at that of the session. */
const charge = async (
  app: App,
  fields: Omit<TurnFields, 'reservation'>,
  { usage, model, isEstimated, channelId }: Transcription,
): Promise<void> => {
  if (inputTokens(usage) + outputTokens(usage) === 0) return
  const reservation = {
    ...reservationOf([model], inputTokens(usage)),
    outputMax: outputTokens(usage),
  }
  const turn = openTurn(app, { ...fields, reservation })
  await turn.ready
  await turn.end({
    ...{ model, requestedModel: model, channelId, usage, estimated: isEstimated },
    ...{ finish: 'complete', stream: true, firstByteMs: 0, warnings: [] },
  })
}

const reservationOf = (models: readonly string[], promptTokens: number): Reservation => ({
  ...{ models, promptTokens: Math.max(promptTokens, firstPromptTokens) },
  ...{ outputMax, n: 1, stream: true },
})

const tokensOf = ({ setup }: SessionStart): number => Math.ceil((setup?.length ?? 0) / 4)

/** Routing and charging need the model of a session only. The first message is its body, where there is one. */
const requestOf = (model: string, { setup }: SessionStart): ParsedRequest => ({
  ...{ model, stream: true, outputMax: undefined, n: 1, hasTools: false, wantsUsage: true },
  ...{ promptTokens: 0, fieldRanges: new Map(), body: setup ?? Buffer.alloc(0) },
})
