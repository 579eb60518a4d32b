import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const asking = `
  const { parentPort, workerData: url } = require('node:worker_threads')
  const ask = async () => {
    const since = performance.now()
    await (await fetch(url)).text()
    return performance.now() - since
  }
  const times = []
  let isOver = false
  parentPort.once('message', () => { isOver = true })
  void (async () => {
    // The first ones load what fetch is made of.
    for (let at = 0; at < 50; at += 1) await ask()
    parentPort.postMessage('ready')
    while (!isOver) {
      times.push(await ask())
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    times.sort((one, other) => one - other)
    parentPort.postMessage(times[Math.floor(times.length * 0.99)] ?? 0)
  })()
`

/**
 * Milliseconds that a small question to `url` waited while `work` went on, at the 99th of a hundred. A thread of its own
 * asks: in this one the vendor reads the same prompts, and would be measured with the gateway.
 */
export const longestWait = async (url: string, work: () => Promise<unknown>): Promise<number> => {
  const worker = new Worker(asking, { eval: true, workerData: url })
  try {
    await once(worker, 'message')
    await work()
    worker.postMessage('over')
    const [longest] = await once(worker, 'message')
    return longest
  } finally {
    await worker.terminate()
  }
}
