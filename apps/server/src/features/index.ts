import type { Contract } from '@hub/contract'
import type { Feature } from '../core/implement.ts'
import { audit } from './audit/index.ts'
import { channels } from './channels/index.ts'
import { conformance } from './conformance/index.ts'
import { groups } from './groups/index.ts'
import { logs } from './logs/index.ts'
import { models } from './models/index.ts'
import { owners } from './owners/index.ts'
import { prices } from './prices/index.ts'
import { profile } from './profile/index.ts'
import { providers } from './providers/index.ts'
import { redemptions } from './redemptions/index.ts'
import { settings } from './settings/index.ts'
import { signIn } from './sign-in/index.ts'
import { simulator } from './simulator/index.ts'
import { statistics } from './statistics/index.ts'
import { status } from './status/index.ts'
import { tokens } from './tokens/index.ts'
import { users } from './users/index.ts'

/** The handlers of every resource of the contract. */
export const features: Record<keyof Contract, Feature> = {
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
  settings,
  audit,
}
