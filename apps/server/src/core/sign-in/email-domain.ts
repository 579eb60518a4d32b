import { Fault } from '@hub/contract'
import type { App } from '../app.ts'

/** Refuses addresses of other domains than the settings allow. */
export const checkDomain = (app: App, email: string): void => {
  const { EmailDomainRestrictionEnabled, EmailDomainWhitelist } = app.settings().registration
  if (!EmailDomainRestrictionEnabled) return
  const domains = EmailDomainWhitelist.split(',').map(each => each.trim().toLowerCase())
  const domain = email.slice(email.lastIndexOf('@') + 1)
  if (!domains.includes(domain)) throw new Fault('mail.domain')
}
