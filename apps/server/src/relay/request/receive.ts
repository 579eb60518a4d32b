import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { timers } from '../../core/timers.ts'
import type { RequestContext } from '../context.ts'

/** A body that stops arriving for this long is given up. */
const silenceMaxMs = 30_000

export type BodyReader<T> = {
  /** Takes a chunk. A promise pauses the caller until it resolves. Throws or rejects to refuse the body. */
  data(chunk: Buffer): Promise<void> | undefined
  /** The whole body has arrived. */
  end(): T | Promise<T>
}

/** Reads the body chunk by chunk. Rejects when the reader refuses it, the caller leaves, or nothing arrives for 30 s. */
export const receive = <T>(app: App, context: RequestContext, reader: BodyReader<T>): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const { request } = context
    let isDone = false

    const silence = timers(app).start(silenceMaxMs, () => {
      refuse(new Fault('request.unreadable', { hint: 'The rest of the body did not arrive.' }))
      // A caller this slow would hold the connection while it reads the refusal.
      request.socket.destroySoon()
    })
    const stop = () => {
      isDone = true
      timers(app).stop(silence)
      context.onAbort = undefined
    }
    const refuse = (error: unknown) => {
      if (isDone) return
      stop()
      // The rest is read and dropped, so that the caller reads the refusal.
      request.resume()
      reject(error)
    }
    const resume = () => {
      if (isDone) return
      timers(app).refresh(silence, silenceMaxMs)
      request.resume()
    }
    const onData = (chunk: Buffer) => {
      if (isDone) return
      timers(app).refresh(silence, silenceMaxMs)
      try {
        const taken = reader.data(chunk)
        if (!taken) return
        request.pause()
        taken.then(resume, refuse)
      } catch (error) {
        refuse(error)
      }
    }
    const onEnd = () => {
      if (isDone) return
      stop()
      try {
        resolve(reader.end())
      } catch (error) {
        reject(error)
      }
    }

    // A caller who leaves in the middle closes the response too, which aborts the context.
    context.onAbort = () =>
      refuse(new Fault('request.unreadable', { detail: 'closed in the body' }))
    request.on('data', onData).on('end', onEnd)
  })
