import { Fault } from '@hub/contract'
import { inputTokens, outputTokens, type ParsedRequest, type Usage } from '@hub/dialects'
import type { Reservation } from '../../../billing/open-hold.ts'
import { priceCache } from '../../../billing/price-cache.ts'
import type { App } from '../../../core/app.ts'
import type { AuthenticatedContext, RunCall } from '../../context.ts'
import { checkModelAllowed } from '../../limits/admit.ts'
import { billedModels, candidatesFor } from '../../routing/channel-index.ts'
import type { PreparedSession, SocketOperation } from '../accept.ts'
import { connectUpstream, type UpstreamSocket } from './connect.ts'
import { RealtimeSession } from './session.ts'
import { openTurn, type TurnFields } from './turn.ts'

/** The vendor ends a session after this: https://developers.openai.com/api/docs/guides/realtime-conversations */
const ageMaxMs = 60 * 60 * 1_000
/** Instructions, tools and half a minute of audio, before anything is known of a session. */
const firstPromptTokens = 1_000
/** The vendor's own limit of one response: https://developers.openai.com/api/docs/guides/realtime-costs */
const outputMax = 4_096

type Parts = { runner(app: App): RunCall }

/** Realtime sessions: the messages of a caller and of one channel, with a charge for each response. */
export const realtimeOverSocket = ({ runner }: Parts): SocketOperation => ({
  ageMaxMs,
  expired: new Fault('socket.expired'),
  prepare: (app, context) => prepare(app, context, runner(app)),
})

const prepare = async (
  app: App,
  context: AuthenticatedContext,
  run: RunCall,
): Promise<PreparedSession> => {
  const model = new URLSearchParams(context.query).get('model') ?? ''
  if (model === '')
    throw new Fault('request.invalid', { hint: "The address needs '?model=' and a model." })
  checkModelAllowed(context.token, model)
  const candidates = await candidatesFor(app, context, model)
  const { request } = context
  const parsed = emptyRequest(model)
  const models = billedModels(candidates, model)
  const fields = { run, request, parsed, target: { candidates } }
  let upstream: UpstreamSocket | undefined
  const turn = openTurn(app, {
    ...fields,
    reservation: reservationOf(models, firstPromptTokens),
    begin: async call => {
      // The error of the upgrade lists the channels that did not answer.
      call.failedAttempts = context.failedAttempts ??= []
      upstream = await connectUpstream(app, call)
    },
  })
  const call = await turn.ready
  const connected = upstream!
  const { billedModel, channel } = connected.attempt
  context.provider = channel.provider.id
  return {
    open: session =>
      new RealtimeSession(app, {
        ...{ session, upstream: connected, turn, call },
        openTurn: promptTokens =>
          openTurn(app, { ...fields, reservation: reservationOf([billedModel], promptTokens) }),
        chargeTranscription: (usage, named, isEstimated) => {
          const isPriced = named !== undefined && priceCache(app).find(named, call.caller.group)
          const charged = { usage, model: isPriced ? named : billedModel, isEstimated }
          return charge(app, fields, { ...charged, channelId: channel.id })
        },
      }),
    abandon: () => {
      connected.socket.terminate()
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

/** A session has no body; routing and charging need its model only. */
const emptyRequest = (model: string): ParsedRequest => ({
  ...{ model, stream: true, outputMax: undefined, n: 1, hasTools: false, wantsUsage: true },
  ...{ promptTokens: 0, fieldRanges: new Map(), body: Buffer.alloc(0) },
})
