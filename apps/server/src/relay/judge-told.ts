import type { Ask, Upstream } from '@hub/dialects'
import type { App } from '../core/app.ts'
import type { Channel } from './channels/channel.ts'
import { judge, type Verdict } from './judge.ts'
import { secondsIn, statusIn } from './told-words.ts'
import { scrub } from './upstream/scrub.ts'

type Told = { ask: Pick<Ask, 'body'>; dialect: Upstream; channel: Channel; credential: string }

/**
 * What is judged is also logged, stored with the channel and audited: a vendor may have echoed the credential.
 * Without a status, as inside a stream, the words say what it would be.
 */
export const judgeTold = (
  app: App,
  trial: Told,
  status: number | undefined,
  body: Buffer,
  retryAfterSeconds: number | undefined,
): Verdict => {
  const { dialect, channel, credential, ask } = trial
  const { channels, retry } = app.settings()
  const words = dialect.decodeFault(scrub(body, trial))
  return judge(
    {
      status: status ?? statusIn(words),
      ...words,
      retryAfterSeconds: retryAfterSeconds ?? words.retryAfterSeconds ?? secondsIn(words.message),
    },
    {
      means: channel.provider.means,
      keywords: channels.DisableChannelKeywords.split('\n').map(each => each.trim()),
      cooldownSeconds: retry.RetryCooldownSeconds,
      credential,
      isEchoed: phrase => ask.body.includes(phrase),
    },
  )
}
