import type { Contract } from '@hub/contract'
import type { Feature } from '../core/implement.ts'
import { analytics } from './analytics/index.ts'
import { audit } from './audit/index.ts'
import { channels } from './channels/index.ts'
import { conformance } from './conformance/index.ts'
import { costs } from './costs/index.ts'
import { groups } from './groups/index.ts'
import { invitations } from './invitations/index.ts'
import { invoices } from './invoices/index.ts'
import { logs } from './logs/index.ts'
import { margin } from './margin/index.ts'
import { midjourney } from './midjourney/index.ts'
import { modelInfo } from './model-info/index.ts'
import { models } from './models/index.ts'
import { notifications } from './notifications/index.ts'
import { oauth } from './oauth/index.ts'
import { oauthProviders } from './oauth-providers/index.ts'
import { operations } from './operations/index.ts'
import { orders } from './orders/index.ts'
import { ownNotifications } from './own-notifications/index.ts'
import { owners } from './owners/index.ts'
import { passkeys } from './passkeys/index.ts'
import { payments } from './payments/index.ts'
import { prices } from './prices/index.ts'
import { profile } from './profile/index.ts'
import { providers } from './providers/index.ts'
import { redemptions } from './redemptions/index.ts'
import { secondFactor } from './second-factor/index.ts'
import { settings } from './settings/index.ts'
import { signIn } from './sign-in/index.ts'
import { simulator } from './simulator/index.ts'
import { statistics } from './statistics/index.ts'
import { status } from './status/index.ts'
import { systemInfo } from './system-info/index.ts'
import { tasks } from './tasks/index.ts'
import { telegram } from './telegram/index.ts'
import { tokens } from './tokens/index.ts'
import { users } from './users/index.ts'
import { virtualModels } from './virtual-models/index.ts'

/** The handlers of every resource of the contract. */
export const features: Record<keyof Contract, Feature> = {
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
  settings,
  audit,
  'system-info': systemInfo,
  telegram,
}
