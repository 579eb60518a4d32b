import { Fault } from '@hub/contract'
import type { Answer } from '../../relay/upstream/send.ts'

/** Longer than any request that vendors accept in one line. */
const lineMax = 64 * 1024 * 1024
const lineEnd = 0x0a

/** Reads a file of lines as it arrives; empty lines are left out. An error of `onLine` ends the reading. */
export const readLines = (answer: Answer, onLine: (line: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    let pending: Buffer[] = []
    let size = 0
    const finishLine = (part: Buffer) => {
      const line = pending.length === 0 ? part : Buffer.concat([...pending, part])
      pending = []
      size = 0
      if (line.length > 0 && line.toString('latin1').trim() !== '') onLine(line)
    }
    const take = (chunk: Buffer) => {
      let start = 0
      for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, start)) {
        finishLine(chunk.subarray(start, at))
        start = at + 1
      }
      pending.push(chunk.subarray(start))
      size += chunk.length - start
      if (size > lineMax) throw new Fault('batch.invalid', { hint: 'A line is too long.' })
    }
    const guarded = (work: () => void) => {
      try {
        work()
      } catch (error) {
        answer.drop()
        reject(error)
      }
    }
    answer.read({
      data: chunk => guarded(() => take(chunk)),
      end: () =>
        guarded(() => {
          finishLine(Buffer.alloc(0))
          resolve()
        }),
      broke: reject,
    })
  })
