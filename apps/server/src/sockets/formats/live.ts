import { Fault } from '@hub/contract'
import { gemini, geminiLive, readLiveSetup, type SocketEnd } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import { timers } from '../../core/timers.ts'
import type { Timer } from '../../lib/time/timers.ts'
import { identify } from '../../relay/auth/identify.ts'
import { createRunner } from '../../relay/handler.ts'
import { checkModelAllowed } from '../../relay/limits/admit.ts'
import { errorInfo } from '../../relay/response/write.ts'
import { channelsFor } from '../../relay/routing/channel-index.ts'
import { type SocketOperation, socketRoute } from '../accept.ts'
import { ageMaxMs, type OpeningRealtime, openRealtime } from '../realtime/open.ts'
import { resumedTarget, sealHandles } from '../realtime/resumption.ts'
import { closeCodes, type SessionHandler, type SocketSession } from '../session.ts'

/** Time for the first message, which names the model. */
const setupMaxMs = 5_000

type SocketMessage = { data: Buffer; isBinary: boolean }

/** Reads the first message and opens the session, whose messages go to a `RealtimeSession` from then on. */
class LiveStart implements SessionHandler {
  private readonly app: App
  private readonly session: SocketSession
  private readonly timer: Timer
  private readonly received: SocketMessage[] = []
  private opening: OpeningRealtime | undefined
  private isClosed = false

  constructor(app: App, session: SocketSession) {
    this.app = app
    this.session = session
    this.timer = timers(app).start(setupMaxMs, () => {
      const hint = `The first message did not come within ${setupMaxMs / 1_000} seconds.`
      session.close(new Fault('request.invalid', { hint }), closeCodes.policy)
    })
  }

  isIdle(): boolean {
    return this.received.length === 0
  }

  encodeEnd(fault: Fault): SocketEnd {
    return geminiLive.encodeEnd(errorInfo({ requestId: String(this.app.ledger.nextId()) }, fault))
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    // Messages behind the first one may have been read already when the session is paused.
    if (this.received.push({ data, isBinary }) > 1) return
    timers(this.app).stop(this.timer)
    this.session.pause()
    void this.open(data)
  }

  onClose(): void {
    this.isClosed = true
    timers(this.app).stop(this.timer)
    this.opening?.abort()
  }

  private async open(first: Buffer): Promise<void> {
    const { session } = this
    try {
      this.opening = await this.startOpening(first)
      // The caller may have left while the channels were read.
      if (this.isClosed) this.opening.abort()
      const opened = await this.opening.opened
      if (this.isClosed) return opened.abandon()
      const handler = opened.open(session)
      session.start(handler)
      for (const { data, isBinary } of this.received.slice(1)) handler.onMessage(data, isBinary)
      session.resume()
      session.closeIfIdle()
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('server.failed', { cause: error })
      session.close(fault, fault.status < 500 ? closeCodes.policy : closeCodes.failed)
    }
  }

  private async startOpening(first: Buffer): Promise<OpeningRealtime> {
    const { app } = this
    const setup = readLiveSetup(first)
    if (typeof setup === 'string') throw new Fault('request.invalid', { hint: setup })
    const { model } = setup
    const context = await identify(app, this.session.caller)
    checkModelAllowed(context.token, model)
    const channels = await channelsFor(app, context, model)
    const { target, handle } = resumedTarget(app, context.caller, setup.handle, channels)
    return openRealtime(app, {
      ...{ run: runner(app), request: context.request, model, target },
      start: {
        format: geminiLive,
        setup: first,
        encodeSetup: name => setup.encode(name, handle),
        rewriterFor: attempt => sealHandles(app, context.caller, attempt),
      },
    })
  }
}

/** Sessions whose first message names the model, so that their channel is chosen after the upgrade. */
const operation: SocketOperation = {
  ageMaxMs,
  expired: new Fault('socket.expired'),
  prepare: (app, { path }) => {
    // Only the vendor can check its temporary tokens, and nobody would be charged for their sessions.
    if (path.endsWith('Constrained')) throw new Fault('session.direct')
    return { open: session => new LiveStart(app, session), abandon: () => undefined }
  },
}

/** Any path that ends in the name of Google's service: https://ai.google.dev/api/live */
export const liveRoute = socketRoute('/ws/*', gemini, operation)

/** Each response of a session is a call of its own. */
const runner = appScoped(app => createRunner(app, { ...liveRoute, operation: 'realtime' }))

/** Clients put a base address, two slashes and any version before the service. */
export const isLivePath = (path: string): boolean =>
  /[./](GenerativeService\.|LlmBidiService\/)BidiGenerateContent(Constrained)?$/.test(path)
