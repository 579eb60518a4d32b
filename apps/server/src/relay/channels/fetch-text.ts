import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { timers } from '../clock.ts'
import { decoded } from '../upstream/decode.ts'
import { setHeaders } from '../upstream/headers.ts'
import { readSome, send } from '../upstream/send.ts'
import { signed } from '../upstream/sign.ts'
import type { Channel } from './channel.ts'

const textMax = 4 * 1024 * 1024
/** An administrator waits for it. */
const textMaxMs = 30_000

/** What a vendor answers to a GET with the channel's first credential; any status but 200 is a fault. */
export const fetchText = async (app: App, channel: Channel, path: string): Promise<string> => {
  const credential = channel.credentials[0]!
  const out = signed(
    app,
    { channel, credential, path, model: '', stream: false },
    {
      method: 'GET',
      headers: setHeaders(['accept', 'application/json'], channel.provider.headers),
      body: null,
    },
  )
  const sending = send(app, out)
  const wheel = timers(app)
  const limit = wheel.start(textMaxMs, () => sending.drop())
  try {
    const told = await sending.answer
    if (told instanceof Fault) throw told
    const answer = decoded(told)
    const body = await readSome(answer, textMax)
    if (answer.status === 200) return body.toString()
    throw new Fault('upstream.refused', { hint: `It answered ${answer.status}.` })
  } finally {
    wheel.stop(limit)
  }
}
