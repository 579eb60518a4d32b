import { afterEach, describe, expect, it } from 'vitest'
import { startWorkerThread } from './worker-thread.ts'

type Request = { text: string; delayMs?: number; exits?: boolean }

const helper = new URL('./worker-thread.ts', import.meta.url)

/** Sends foreign messages before the first response, as Node does under `--watch`. */
const program = `
  import { parentPort } from 'node:worker_threads'
  import { setTimeout } from 'node:timers/promises'
  import { serveRequests } from '${helper}'
  for (const foreign of [{ 'watch:import': ['file:///a.ts'] }, null, 'text', [99, true, 'foreign']])
    parentPort.postMessage(foreign)
  serveRequests(
    ({ text, delayMs, exits }) => {
      if (exits) process.exit(3)
      if (text === 'fail') throw new Error('refused')
      return delayMs === undefined ? text.toUpperCase() : setTimeout(delayMs, text.toUpperCase())
    },
    error => error.message,
  )
`

const start = (onEnd?: (reason: unknown, lost: number) => void) =>
  startWorkerThread<Request, string>(
    new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    {
      decodeError: message => new Error(`thread: ${message}`),
      endedError: reason => new Error(`ended: ${reason}`),
      ...(onEnd && { onEnd }),
    },
  )

let thread: ReturnType<typeof start>
afterEach(() => thread.terminate())

describe('a worker thread', () => {
  it('answers each request by its id and ignores messages that are not responses', async () => {
    thread = start()
    const texts = ['a', 'b', 'c']
    expect(await Promise.all(texts.map(text => thread.send({ text })))).toEqual(['A', 'B', 'C'])
  })

  it('matches responses that arrive in another order than their requests', async () => {
    thread = start()
    const order: string[] = []
    const send = async (request: Request) => void order.push(await thread.send(request))
    await Promise.all([send({ text: 'slow', delayMs: 50 }), send({ text: 'quick' })])
    expect(order).toEqual(['QUICK', 'SLOW'])
  })

  it('rejects with the error of the thread and goes on answering', async () => {
    thread = start()
    await expect(thread.send({ text: 'fail' })).rejects.toThrow('thread: refused')
    expect(await thread.send({ text: 'next' })).toBe('NEXT')
  })

  it('gives a request that cannot be cloned no response of another request', async () => {
    thread = start()
    const uncloneable = { text: (() => '') as unknown as string }
    await expect(thread.send(uncloneable)).rejects.toThrow(/cloned/)
    expect(await thread.send({ text: 'next' })).toBe('NEXT')
  })

  it('rejects open requests when the thread ends, and reports how many were lost', async () => {
    const ends: unknown[][] = []
    thread = start((...end) => ends.push(end))
    const open = thread.send({ text: 'open', delayMs: 100_000 })
    const last = thread.send({ text: '', exits: true })
    await expect(open).rejects.toThrow('ended: exit code 3')
    await expect(last).rejects.toThrow('ended: exit code 3')
    expect(ends).toEqual([['exit code 3', 2]])
  })
})
