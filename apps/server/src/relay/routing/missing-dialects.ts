import type { FormatId } from '@hub/dialects'
import type { App } from '../../core/app.ts'
import { appScoped } from '../../core/app-scoped.ts'
import type { Channel } from '../channels/channel.ts'

type MissingDialect = {
  dialect: FormatId
  /** Milliseconds since 1970. */
  until: number
}

/** An edited channel is another object, so that its entry is forgotten. */
const missingDialects = appScoped(() => new WeakMap<Channel, MissingDialect>())

/** After this time the upstream is asked again, because it may have learnt the dialect. */
const rememberMs = 3_600_000

/** Remembers that a channel's upstream has no address for a dialect that its provider has. */
export const rememberMissingDialect = (app: App, channel: Channel, dialect: FormatId): void => {
  missingDialects(app).set(channel, { dialect, until: app.now() + rememberMs })
}

/** The dialect that a channel's upstream lacks, by its settings or by its own refusal. */
export const unsupportedDialectOf = (app: App, channel: Channel): FormatId | undefined => {
  if (channel.unsupportedDialect !== undefined) return channel.unsupportedDialect
  const missing = missingDialects(app).get(channel)
  return missing && missing.until > app.now() ? missing.dialect : undefined
}
