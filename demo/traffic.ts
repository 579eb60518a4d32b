import { setTimeout as sleep } from 'node:timers/promises'
import type { Filled } from './fill/index.ts'
import { models } from './world/models.ts'
import type { Style } from './world/person.ts'
import { makeRandom } from './world/random.ts'

const questions = [
  'How does a gateway choose a channel?',
  'Summarise the changes of this week in three sentences.',
  'Translate "the ferry leaves at nine" into Japanese.',
  'Why did the last build fail?',
  'Which of these reviews mention the delivery?',
]

/** Between two calls, on average. */
const pauseMs = 2_500

export type Traffic = { stop(): Promise<void> }

/** Calls as customers make them, one after another, so that live figures move. */
export const startTraffic = (url: string, keys: Filled['keys']): Traffic => {
  const random = makeRandom(Date.now())
  const stopping = new AbortController()
  const call = async () => {
    const { key, style } = random.pick(keys)
    const chats = models.filter(each => each.operation === undefined)
    const { name } = random.weighted(chats, each => each[style as Style])
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: name, stream: random.below(3) > 0 },
        messages: [{ role: 'user', content: random.pick(questions) }],
      }),
      signal: stopping.signal,
    })
    await response.text()
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      // A refused call is a part of the picture.
      void call().catch(() => undefined)
      await sleep(pauseMs * (0.3 + random.share() * 1.4), undefined, {
        signal: stopping.signal,
      }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
