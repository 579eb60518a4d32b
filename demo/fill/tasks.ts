import { pollTasks } from '../../apps/server/src/tasks/polling/poll.ts'
import type { Random } from '../world/random.ts'
import type { Account } from './accounts.ts'
import type { FillHub } from './hub.ts'

type TaskRequest = { path: string; body: object }

const video = (prompt: string, model = 'kling-v2-1'): TaskRequest => ({
  path: '/v1/videos',
  body: { model, prompt },
})
const song = (prompt: string): TaskRequest => ({
  path: '/suno/submit/music',
  body: { mv: 'chirp-v3-5', gpt_description_prompt: prompt },
})
const lyrics = (prompt: string): TaskRequest => ({ path: '/suno/submit/lyrics', body: { prompt } })
const picture = (prompt: string, prefix = ''): TaskRequest => ({
  path: `${prefix}/mj/submit/imagine`,
  body: { prompt },
})

const requests: readonly TaskRequest[] = [
  video('A ferry leaves the harbour at dawn, slow aerial shot'),
  picture('A lighthouse in heavy rain, woodcut, two colours'),
  song('A calm folk song about a harbour at night'),
  picture('Isometric map of a small port, flat colours'),
  video('Paper boats drift over a city street after rain', 'kling-v3'),
  lyrics('Four lines about the last ferry of the day'),
  picture('Portrait of a celebrity at a gala, film grain'),
  picture('A tea house on a cliff, autumn, ink wash', '/mj-turbo'),
  video('A celebrity waves from a balcony'),
  video('Close-up of a watchmaker at work, warm light'),
  song('An upbeat jingle for a bakery, eight seconds'),
  picture('Labels for jars of honey, vintage engraving'),
  picture('A quiet reading room with tall windows'),
  video('A paper map unfolds into mountains', 'kling-v3'),
  picture('Hills in the evening, five layers of haze'),
  song('Slow piano with rain in the background'),
  picture('A bicycle courier at dusk, gouache', '/mj-turbo'),
  video('Clouds over a wheat field, time lapse'),
]

const unfinished: readonly TaskRequest[] = [
  video('An endless corridor of doors, one of them opens', 'kling-v3'),
  picture('An endless library, etching'),
]

const submit = async ({ url }: FillHub, { keys, ip }: Account, { path, body }: TaskRequest) => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys[0]}`,
      'content-type': 'application/json',
      'x-forwarded-for': ip,
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
}

/** Longer than any task of the vendor takes, and another time for each. */
const taskSeconds = (n: number) => 150 + ((n * 37) % 240)

/** Submits the n-th task at the time of the hub, and polls it when it has ended. */
export const runTask = async (hub: FillHub, account: Account, n: number): Promise<void> => {
  await submit(hub, account, requests[n % requests.length]!)
  hub.setNow(hub.now() + taskSeconds(n))
  await pollTasks(hub.app)
}

/** Tasks that still run when the demo begins. */
export const startTasks = async (hub: FillHub, random: Random, accounts: readonly Account[]) => {
  for (const request of unfinished) await submit(hub, random.pick(accounts), request)
  hub.setNow(hub.now() + 60)
  await pollTasks(hub.app)
}
