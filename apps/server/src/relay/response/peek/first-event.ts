import { Fault } from '@hub/contract'
import type { StreamObserver } from '@hub/dialects'
import type { App } from '../../../core/app.ts'
import type { Attempt, CallContext } from '../../context.ts'
import { contentTypeOf, isJson } from '../../upstream/fetch-small.ts'
import type { Answer, Reader } from '../../upstream/send.ts'
import type { Undelivered } from '../delivery.ts'
import { makeObserver } from '../stream.ts'

/** Whole JSON in answer to a stream request is an error under status 200, or a vendor that ignores `stream`. */
export const isStreamed = ({ parsed }: CallContext, answer: Answer): boolean =>
  parsed.stream && !isJson(contentTypeOf(answer))

/** A beginning of this size without an event counts as one. */
const beginningMax = 64 * 1024

type Peeked = { ok: true; answer: Answer } | Undelivered

/**
 * Reads an answer until its first event, or the first byte of a whole answer: comments and blanks do not count. The
 * returned answer is read from its beginning. An error as the first event is a failure, as in a delivery.
 */
export const peekFirstEvent = (
  app: App,
  context: CallContext,
  { attempt, answer }: { attempt: Attempt; answer: Answer },
): Promise<Peeked> =>
  new Promise(resolve => {
    const rewindable = makeRewindable(answer)
    const fail = (fault: Fault, failure?: unknown) => {
      rewindable.drop()
      resolve({ ok: false, fault, failure })
    }
    // It stays set, because an answer may lose after its first event too.
    context.onAbort = reason => fail(new Fault('upstream.broken', { detail: reason }))
    if (context.aborted) return context.onAbort(context.aborted)
    const observer = isStreamed(context, answer) ? makeObserver(app, context, attempt) : undefined
    const hasEvent = observer ? eventDetector(observer, attempt) : hasText
    let size = 0
    rewindable.peek({
      data: chunk => {
        size += chunk.length
        const isFound = hasEvent(chunk)
        const failure = observer?.failure()
        if (failure !== undefined) return fail(new Fault('upstream.failed'), failure)
        if (!isFound && size <= beginningMax) return
        resolve({ ok: true, answer: rewindable.rewind() })
      },
      end: () => fail(new Fault('upstream.broken', { detail: 'ended without an event' })),
      broke: fail,
    })
  })

const blank = /^\s*$/

const hasText = (chunk: Buffer): boolean => !blank.test(chunk.toString('latin1'))

/** Server-sent events may begin with comments: https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
const eventDetector = (observer: StreamObserver, { endpoint }: Attempt) => {
  let hasData = endpoint.framing !== 'sse'
  let line = ''
  return (chunk: Buffer): boolean => {
    const hasParts = observer.push(chunk).length > 0
    if (!hasData) {
      const text = line + chunk.toString('latin1')
      hasData = /(^|[\r\n])data:/.test(text)
      line = text.slice(-'\ndata:'.length)
    }
    return hasData && (hasParts || observer.isClosed())
  }
}

type Rewindable = {
  peek(reader: Reader): void
  drop(): void
  /** Returns the answer with its beginning. */
  rewind(): Answer
}

/** Keeps the beginning of an answer while it is peeked at, for the reader of the delivery. */
const makeRewindable = (answer: Answer): Rewindable => {
  let kept: Buffer[] = []
  let isKeeping = true
  let reader: Reader | undefined
  let ended: Fault | 'end' | undefined
  const end = (how: Fault | 'end') => {
    ended = how
    if (how === 'end') reader?.end()
    else reader?.broke(how)
  }
  const drop = () => {
    reader = undefined
    answer.drop()
  }
  const readAgain = (next: Reader) => {
    const beginning = kept
    kept = []
    isKeeping = false
    reader = next
    // The reader may drop the answer while it reads.
    for (const chunk of beginning) reader?.data(chunk)
    if (ended !== undefined) end(ended)
  }
  return {
    drop,
    peek: first => {
      reader = first
      answer.read({
        data: chunk => {
          if (isKeeping) kept.push(chunk)
          reader?.data(chunk)
        },
        end: () => end('end'),
        broke: end,
      })
    },
    rewind: () => {
      reader = undefined
      return { ...answer, read: readAgain, drop }
    },
  }
}
