import type { FormatId } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'
import type { Attempt } from '../context.ts'

/** By dialect, and by model where the provider is a gateway: milliseconds since 1970 until which it counts as missing. */
type MissingDialects = Map<string, number>

/** An edited channel is another object, so that its entries are forgotten. */
const missingDialects = appScoped(() => new WeakMap<Channel, MissingDialects>())

/** After this time the upstream is asked again, because it may have learnt the dialect. */
const rememberMs = 3_600_000
/** A channel may serve any number of models by a wildcard. The oldest entries are forgotten first. */
const rememberedMax = 1_000

type UpstreamDialect = { dialect: FormatId; model: string }

/** Behind a gateway each model may have another vendor. Any other upstream has a dialect for all models or for none. */
const missingKey = ({ provider }: Channel, { dialect, model }: UpstreamDialect): string =>
  provider.missingDialect ? `${dialect} ${model}` : dialect

/** Remembers that a channel's upstream has no address for dialects that its provider has. */
export const rememberMissingDialects = (
  app: App,
  channel: Channel,
  { dialects, model }: { dialects: ReadonlySet<FormatId>; model: string },
): void => {
  const entries: MissingDialects = missingDialects(app).get(channel) ?? new Map()
  for (const dialect of dialects) {
    const key = missingKey(channel, { dialect, model })
    // An entry that is set again becomes the youngest.
    entries.delete(key)
    entries.set(key, app.now() + rememberMs)
  }
  for (const key of entries.keys()) {
    if (entries.size <= rememberedMax) break
    entries.delete(key)
  }
  missingDialects(app).set(channel, entries)
}

/** The dialects that a channel's upstream lacks, by its settings or by its own refusals. Undefined: none. */
export const unsupportedDialectsOf = (
  app: App,
  channel: Channel,
  model: string,
): ReadonlySet<FormatId> | undefined => {
  const entries = missingDialects(app).get(channel)
  const { unsupportedDialect, provider } = channel
  if (!entries && unsupportedDialect === undefined) return undefined
  const unsupported = new Set<FormatId>()
  if (unsupportedDialect !== undefined) unsupported.add(unsupportedDialect)
  if (entries)
    for (const { dialect } of Object.values(provider.serves).flat())
      if ((entries.get(missingKey(channel, { dialect, model })) ?? 0) > app.now())
        unsupported.add(dialect)
  return unsupported.size > 0 ? unsupported : undefined
}

type AddressRefusal = { status: number; body: Buffer; message: string; type: string; code: string }

/** The upstream refused the address and not the request. One that names the model has the address. */
export const isDialectMissing = (
  { channel, upstreamModel }: Pick<Attempt, 'channel' | 'upstreamModel'>,
  { status, body, message, type, code }: AddressRefusal,
): boolean =>
  ((status === 404 || status === 405) && !body.includes(upstreamModel)) ||
  channel.provider.missingDialect?.test(`${status} ${message} ${type} ${code}`) === true
