import { Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { fetchText, TooLong } from '../../relay/upstream/fetch-text.ts'

const limits = { timeoutMs: 10_000, bytesMax: 8 * 1024 * 1024 }

/** Fetches the text at a URL that an administrator gave. Throws `price.source` for a failure, after 10 s, or above 8 MiB. */
export const fetchPriceList = async (app: App, url: string): Promise<string> => {
  try {
    const { status, text } = await fetchText(app, url, limits)
    if (status === 200) return text
    throw new Fault('price.source', { hint: `It answered ${status}.` })
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    if (cause instanceof TooLong) throw new Fault('price.source', { hint: 'It is too long.' })
    throw new Fault('price.source', { cause })
  }
}
