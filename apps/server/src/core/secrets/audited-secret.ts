import type { App } from '../app.ts'

/** Stands for a secret in an audit row: it shows whether a secret changed but not its value. */
export const auditedSecret = (app: App, value: unknown): string =>
  `fingerprint:${app.seal.fingerprint('audit', JSON.stringify(value)).slice(0, 16)}`
