import type { App } from '../../../core/app.ts'
import { timers } from '../../../core/timers.ts'
import type { Answer } from '../send.ts'

/** Bytes of a refusal that are passed on. Vendors repeat the request in some, so that they are as long as prompts. */
const passedMax = 4 * 1024 * 1024
/** Bytes of a longer refusal, which are searched for its reason. */
const classifiedMax = 64 * 1024
/** A refusal is classified by its status when its body has not arrived by then. */
export const refusalMs = 2_000

export type RefusalBody = {
  body: Buffer
  /** Only a whole body is passed to the caller: a cut one is not valid JSON. */
  isWhole: boolean
}

/** Reads the body of a refusal for a bounded time, so that a body that stalls does not keep the caller waiting. */
export const readRefusalBody = (app: App, answer: Answer): Promise<RefusalBody> =>
  new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (isWhole: boolean) => {
      timers(app).stop(timer)
      const body = Buffer.concat(chunks)
      resolve({ body: isWhole ? body : body.subarray(0, classifiedMax), isWhole })
    }
    const cut = () => {
      answer.drop()
      end(false)
    }
    const timer = timers(app).start(refusalMs, cut)
    answer.read({
      data: chunk => {
        chunks.push(chunk)
        size += chunk.length
        if (size > passedMax) cut()
      },
      end: () => end(true),
      broke: () => end(false),
    })
  })
