import { contract, Fault } from '@hub/contract'
import type { App } from '../../core/app.ts'
import { implement, type SignedIn } from '../../core/implement.ts'
import { available } from './available.ts'
import { pricing } from './pricing.ts'

export const models = implement(contract.models, {
  available: (app, caller) => available(app, groupOf(app, caller)),
  pricing: (app, caller) => pricing(app, groupOf(app, caller)),
})

/** Undefined for visitors, who see the public groups, as long as the settings let them see anything. */
const groupOf = (app: App, caller: SignedIn | null): string | undefined => {
  if (!caller && !app.settings().site.PublicPricesEnabled) throw new Fault('session.missing')
  return caller?.group
}
