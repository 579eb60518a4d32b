import { analytics } from './analytics.ts'
import { audit } from './audit.ts'
import { channels } from './channels.ts'
import { conformance } from './conformance.ts'
import { costs } from './costs.ts'
import { groups } from './groups.ts'
import { invitations } from './invitations.ts'
import { invoices } from './invoices.ts'
import { logs } from './logs.ts'
import { margin } from './margin.ts'
import { midjourney } from './midjourney.ts'
import { modelInfo } from './model-info.ts'
import { models } from './models.ts'
import { notifications } from './notifications.ts'
import { oauth } from './oauth.ts'
import { oauthProviders } from './oauth-providers.ts'
import { operations } from './operations.ts'
import { options } from './options.ts'
import { orders } from './orders.ts'
import { ownNotifications } from './own-notifications.ts'
import { owners } from './owners.ts'
import { passkeys } from './passkeys.ts'
import { payments } from './payments.ts'
import { prices } from './prices.ts'
import { profile } from './profile.ts'
import { providers } from './providers.ts'
import { redemptions } from './redemptions.ts'
import { secondFactor } from './second-factor.ts'
import { signIn } from './sign-in.ts'
import { simulator } from './simulator.ts'
import { statistics } from './statistics.ts'
import { status } from './status.ts'
import { systemInfo } from './system-info.ts'
import { tasks } from './tasks.ts'
import { telegram } from './telegram.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'
import { virtualModels } from './virtual-models.ts'

/** Every resource, under the name of its feature folder on the server and in the console. */
export const contract = {
  status,
  'sign-in': signIn,
  profile,
  'second-factor': secondFactor,
  passkeys,
  oauth,
  'oauth-providers': oauthProviders,
  users,
  groups,
  tokens,
  channels,
  costs,
  providers,
  prices,
  owners,
  models,
  'model-info': modelInfo,
  'virtual-models': virtualModels,
  conformance,
  redemptions,
  invitations,
  payments,
  orders,
  logs,
  tasks,
  midjourney,
  invoices,
  simulator,
  statistics,
  operations,
  analytics,
  margin,
  notifications,
  'own-notifications': ownNotifications,
  settings: options,
  audit,
  'system-info': systemInfo,
  telegram,
}
export type Contract = typeof contract

export * from './analytics.ts'
export * from './audit.ts'
export * from './call-faults.ts'
export * from './call-routes.ts'
export * from './channels.ts'
export * from './conformance.ts'
export * from './costs.ts'
export * from './faults.ts'
export * from './first-steps.ts'
export * from './groups.ts'
export * from './innermost.ts'
export * from './input.ts'
export * from './invitations.ts'
export * from './invoices.ts'
export * from './limits.ts'
export * from './log-details.ts'
export * from './logs.ts'
export * from './margin.ts'
export * from './midjourney.ts'
export * from './model-info.ts'
export * from './models.ts'
export * from './money-bounds.ts'
export * from './money-rights.ts'
export * from './new-rules.ts'
export * from './notifications.ts'
export * from './oauth.ts'
export * from './oauth-providers.ts'
export * from './operations.ts'
export * from './options.ts'
export * from './orders.ts'
export * from './own-notifications.ts'
export * from './owners.ts'
export * from './parameter-rules.ts'
export * from './passkeys.ts'
export * from './payments.ts'
export * from './price-modes.ts'
export * from './prices.ts'
export * from './profile.ts'
export * from './prompt-cache.ts'
export * from './providers.ts'
export * from './public-pages.ts'
export * from './receipts.ts'
export * from './redemptions.ts'
export * from './resource.ts'
export * from './second-factor.ts'
export * from './sessions.ts'
export * from './settings/index.ts'
export * from './sign-in.ts'
export * from './simulator.ts'
export * from './site-address.ts'
export * from './statistics.ts'
export * from './status.ts'
export * from './switch-needs.ts'
export * from './system-info.ts'
export * from './tasks.ts'
export * from './telegram.ts'
export * from './telegram-markup/index.ts'
export * from './tokens.ts'
export * from './top-up-price.ts'
export * from './usage-classes.ts'
export * from './users.ts'
export * from './vendor-prices.ts'
export * from './virtual-models.ts'
export * from './wechat.ts'
