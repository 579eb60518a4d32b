import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { newRulesSince } from '../../core/site/new-rules.ts'
import * as options from '../../db/queries/options.ts'
import { attention } from './attention.ts'
import { latestCalls } from './calls.ts'
import { readFirstSteps } from './first-steps.ts'
import { overview } from './overview.ts'
import { series } from './series.ts'

export const operations = implement(contract.operations, {
  overview: (app, _caller, { period }) => overview(app, period),
  series: (app, _caller, question) => series(app, question),
  calls: (app, _caller, { since }) => latestCalls(app, since),
  attention: app => attention(app),
  readRules: async app => {
    await options.remove(app.db, newRulesSince)
    return null
  },
  firstSteps: (app, caller) => readFirstSteps(app, caller),
})
