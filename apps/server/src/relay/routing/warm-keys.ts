import { createHash } from 'node:crypto'
import { isDialect, type ParsedRequest } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'
import type { ChannelKey } from '../channels/keys.ts'
import type { CallContext, WarmKey } from '../context.ts'
import { channelIndex } from './channel-index.ts'

type RoutedCall = Pick<CallContext, 'dialect' | 'parsed' | 'caller' | 'session' | 'target'> & {
  /** Set where other candidates of a virtual model may serve it too. */
  virtual: unknown
}

type Entry = { channelId: number; fingerprint: string; until: number }

/** Vendors cache prompts of 1,024 tokens and more; shorter requests have nothing to lose. */
const bodyMin = 4_096
/** Vendors keep an unused prompt for about five minutes. */
const lifeMs = 300_000
/** The oldest conversation is forgotten above this number. */
const entriesMax = 20_000
/** Lengths of the beginnings that identify a conversation, in bytes of its messages. */
const lengths = [1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536]
/** A shorter shared beginning than this part of the messages may be another conversation's. */
const shareMin = 0.25

const messageFields = ['messages', 'input', 'contents']

/** Each process has its own: the call of a conversation on another node warms a key there. */
const entriesOf = appScoped(() => new Map<string, Entry>())

/** Finds the key that answered the conversation's last call, unless its prompt cache has expired. */
export const findWarmKey = (app: App, context: RoutedCall): WarmKey | undefined => {
  const index = channelIndex(app).get()
  if (index instanceof Promise) return undefined
  for (const id of conversationIds(app, context)) {
    const entry = entriesOf(app).get(id)
    if (!entry || entry.until < app.monotonic()) continue
    const channel = index.byId.get(entry.channelId)
    return channel && { channel, fingerprint: entry.fingerprint }
  }
  return undefined
}

/** Remembers the key that answered a call of the conversation. */
export const rememberWarmKey = (
  app: App,
  context: RoutedCall,
  { channel, key }: { channel: Channel; key: ChannelKey },
): void => {
  const entries = entriesOf(app)
  const until = app.monotonic() + lifeMs
  for (const id of conversationIds(app, context)) {
    entries.delete(id)
    if (entries.size >= entriesMax) entries.delete(entries.keys().next().value!)
    entries.set(id, { channelId: channel.id, fingerprint: key.fingerprint, until })
  }
}

/** Each candidate of a virtual model has a request of its own. */
const idsOf = appScoped(() => new WeakMap<ParsedRequest, readonly string[]>())

/** The conversation's own id, else hashes of its beginning, the longest first; none for a request without a choice. */
const conversationIds = (app: App, context: RoutedCall): readonly string[] => {
  const known = idsOf(app).get(context.parsed)
  if (known) return known
  const ids = hasChoice(context) && mayBeCached(app, context) ? makeIds(context) : none
  idsOf(app).set(context.parsed, ids)
  return ids
}

const none: readonly string[] = []

const hasChoice = ({ target, virtual }: RoutedCall): boolean =>
  !target.key &&
  (virtual !== undefined ||
    target.candidates.size > 1 ||
    target.candidates.tiers[0]!.channels[0]!.keys.length > 1)

const mayBeCached = (app: App, { dialect, parsed }: RoutedCall): boolean =>
  app.settings().retry.PromptCacheRoutingEnabled &&
  isDialect(dialect) &&
  parsed.body.length >= bodyMin

const makeIds = ({ caller, parsed, session }: RoutedCall): readonly string[] => {
  const scope = `${caller.tokenId} ${caller.group} ${parsed.model}`
  const { body, fieldRanges } = parsed
  if (session !== undefined) return [digest(`${scope} ${session}`)]
  const range = messageFields.map(each => fieldRanges.get(each)).find(each => each !== undefined)
  if (!range) return none
  const messages = body.subarray(range.start, range.end)
  const hash = createHash('sha256').update(scope)
  const ids: string[] = []
  let start = 0
  for (const length of lengths) {
    if (length > messages.length) break
    hash.update(messages.subarray(start, length))
    start = length
    if (length >= shareMin * Math.min(messages.length, lengths.at(-1)!))
      ids.unshift(hash.copy().digest('base64'))
  }
  return ids
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
