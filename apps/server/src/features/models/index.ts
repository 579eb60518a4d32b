import { contract, Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { implement, type SignedInUser } from '../../core/implement.ts'
import { listAvailableModels } from './available.ts'
import { listNewApiPricing } from './pricing.ts'

export const models = implement(contract.models, {
  available: (app, caller) => listAvailableModels(app, groupOf(app, caller)),
  pricing: (app, caller) => listNewApiPricing(app, groupOf(app, caller)),
})

/** Returns undefined for visitors, who see the public groups. Throws when the settings hide prices from them. */
const groupOf = (app: App, caller: SignedInUser | null): string | undefined => {
  if (!caller && !app.settings().site.PublicPricesEnabled) throw new Fault('session.missing')
  return caller?.group
}
