import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { administrators as site } from '../../db/queries/notification-targets.ts'
import * as targets from '../../notifications/targets.ts'

/** The targets that all administrators share, and the deliveries to them. */
export const notifications = implement(contract.notifications, {
  list: (app, _caller, input) => targets.listTargets(app, site, input),
  get: (app, _caller, { id }) => targets.getTarget(app, site, id),
  create: (app, _caller, input) => targets.createTarget(app, site, input),
  update: (app, _caller, patch) => targets.updateTarget(app, site, patch),
  remove: (app, _caller, { id }) => targets.removeTarget(app, site, id),
  types: () => targets.listTypes(site),
  test: (app, _caller, { id }) => targets.testTarget(app, site, id),
  deliveries: (app, _caller, input) => targets.listDeliveries(app, site, input),
  resend: (app, _caller, { id }) => targets.resend(app, site, id),
})
