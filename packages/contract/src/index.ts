import { audit } from './audit.ts'
import { channels } from './channels.ts'
import { conformance } from './conformance.ts'
import { groups } from './groups.ts'
import { logs } from './logs.ts'
import { models } from './models.ts'
import { owners } from './owners.ts'
import { prices } from './prices.ts'
import { profile } from './profile.ts'
import { providers } from './providers.ts'
import { redemptions } from './redemptions.ts'
import { options } from './settings.ts'
import { signIn } from './sign-in.ts'
import { simulator } from './simulator.ts'
import { statistics } from './statistics.ts'
import { status } from './status.ts'
import { tokens } from './tokens.ts'
import { users } from './users.ts'

/** Every resource, under the name of its feature folder on the server and in the console. */
export const contract = {
  status,
  'sign-in': signIn,
  profile,
  users,
  groups,
  tokens,
  channels,
  providers,
  prices,
  owners,
  models,
  conformance,
  redemptions,
  logs,
  simulator,
  statistics,
  settings: options,
  audit,
}
export type Contract = typeof contract

export * from './audit.ts'
export * from './channels.ts'
export * from './conformance.ts'
export * from './faults.ts'
export * from './groups.ts'
export * from './input.ts'
export * from './limits.ts'
export * from './logs.ts'
export * from './models.ts'
export * from './owners.ts'
export * from './prices.ts'
export * from './profile.ts'
export * from './providers.ts'
export * from './receipts.ts'
export * from './redemptions.ts'
export * from './resource.ts'
export * from './settings.ts'
export * from './sign-in.ts'
export * from './simulator.ts'
export * from './statistics.ts'
export * from './status.ts'
export * from './tokens.ts'
export * from './usage-classes.ts'
export * from './users.ts'
