import { Fault } from '@hub/contract'
import type { Dispatcher } from 'undici'
import type { App } from '../../core/app.ts'
import { failpoint } from '../../lib/failpoint.ts'
import type { Channel } from '../channels/channel.ts'
import { timers } from '../clock.ts'
import { discard, release, takeLane } from './pools.ts'

/** What goes to an upstream. The authority is the channel's and nobody else's. */
export type Outgoing = {
  channel: Channel
  credential: string
  method: 'GET' | 'POST' | 'DELETE'
  origin: string
  path: string
  /** Name and value in turn. */
  headers: string[]
  body: Buffer | null
}

/** Who reads the body of an answer. After `end` or `broke` nothing follows. */
export type Reader = {
  data(chunk: Buffer): void
  end(): void
  broke(fault: Fault): void
}

/** An upstream's answer, from its status line on. */
export type Answer = {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Hands over what came already and what is still to come. */
  read(reader: Reader): void
  pause(): void
  resume(): void
  /** Lets the upstream go at once. The reader hears nothing more. */
  drop(): void
}

export type Sending = {
  /** Never rejects: a fault says why nobody answered. */
  answer: Promise<Answer | Fault>
  /** Gives up, whatever it is waiting for. */
  drop(): void
}

type Phase = 'connecting' | 'waiting' | 'flowing' | 'over'

const letGo = new Fault('upstream.broken', { detail: 'let go' })

/** One attempt. It ends once: at the end of the body, with a fault, or when it is dropped. */
export const send = (app: App, out: Outgoing): Sending => {
  const lane = takeLane(app, out)
  const limits = app.settings().relay
  const wheel = timers(app)
  let phase: Phase = 'connecting'
  let controller: Dispatcher.DispatchController | undefined
  let reader: Reader | undefined
  /** What came before somebody read it. */
  let early: Buffer[] | undefined
  let isPaused = false
  /** How it ended before somebody read it. */
  let ended: Fault | 'end' | undefined
  let tell: (answer: Answer | Fault) => void
  const answer = new Promise<Answer | Fault>(resolve => {
    tell = resolve
  })

  const fail = (fault: Fault) => {
    if (phase === 'over') return
    phase = 'over'
    wheel.stop(limit)
    controller?.abort(fault)
    discard(lane)
    ended = fault
    tell(fault)
    reader?.broke(fault)
  }
  const drop = () => {
    reader = undefined
    fail(letGo)
  }
  const limit = wheel.start(limits.ConnectTimeoutSeconds * 1_000, () =>
    fail(new Fault('upstream.timeout', { detail: `${out.channel.id}: nothing while ${phase}` })),
  )
  const read = (next: Reader) => {
    const waiting = early
    early = undefined
    reader = next
    if (waiting) for (const chunk of waiting) reader?.data(chunk)
    if (ended === 'end') reader?.end()
    else if (ended) reader?.broke(ended)
  }
  const pause = () => {
    if (phase !== 'flowing') return
    isPaused = true
    controller?.pause()
    wheel.stop(limit)
  }
  const resume = () => {
    isPaused = false
    if (phase !== 'flowing') return
    wheel.touch(limit, limits.IdleTimeoutSeconds * 1_000)
    controller?.resume()
  }

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: each => {
      controller = each
      if (phase === 'over') return each.abort(letGo)
      failpoint('upstream connected')
      phase = 'waiting'
      wheel.touch(limit, limits.FirstByteTimeoutSeconds * 1_000)
    },
    onResponseStart: (_controller, status, headers) => {
      // Informational answers come before the one that counts, and are not for the caller.
      if (status < 200 || phase === 'over') return
      failpoint('upstream answered')
      tell({ status, headers, read, pause, resume, drop })
    },
    onResponseData: (_controller, chunk) => {
      if (phase === 'over') return
      if (phase === 'waiting') failpoint('upstream first byte')
      phase = 'flowing'
      if (!isPaused) wheel.touch(limit, limits.IdleTimeoutSeconds * 1_000)
      if (reader) reader.data(chunk)
      else if (early) early.push(chunk)
      else early = [chunk]
    },
    onResponseEnd: () => {
      if (phase === 'over') return
      failpoint('upstream ended')
      phase = 'over'
      wheel.stop(limit)
      release(app, lane)
      ended = 'end'
      reader?.end()
    },
    onResponseError: (_controller, error) => fail(faultOf(error, phase)),
    onRequestUpgrade: (_controller, _status, _headers, socket) => {
      socket.destroy()
      fail(new Fault('upstream.garbage', { detail: 'upgraded without being asked' }))
    },
  }
  try {
    failpoint('upstream asked')
    lane.client.dispatch(out, handler)
  } catch (cause) {
    fail(new Fault('upstream.unreachable', { cause, detail: 'cannot be sent' }))
  }
  return { answer, drop }
}

const garbage = /^(HPE_|UND_ERR_(RES_|HEADERS_OVERFLOW|RESPONSE))/

const faultOf = (error: unknown, phase: Phase): Fault => {
  if (error instanceof Fault) return error
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  const detail = `${code} ${message}`.trim()
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return new Fault('upstream.timeout', { detail })
  if (garbage.test(code) || /bad (response|upgrade)/.test(message))
    return new Fault('upstream.garbage', { detail, cause: error })
  if (phase === 'connecting' || phase === 'waiting')
    return new Fault('upstream.unreachable', { detail, cause: error })
  return new Fault('upstream.broken', { detail, cause: error })
}

/** The whole body, as long as it is small: of a longer one the beginning. */
export const readSome = (answer: Answer, sizeMax: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    answer.read({
      data: chunk => {
        chunks.push(chunk)
        size += chunk.length
        if (size < sizeMax) return
        answer.drop()
        resolve(Buffer.concat(chunks).subarray(0, sizeMax))
      },
      end: () => resolve(Buffer.concat(chunks)),
      broke: reject,
    })
  })
