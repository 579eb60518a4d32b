import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { attention } from './attention.ts'
import { overview } from './overview.ts'
import { series } from './series.ts'

export const operations = implement(contract.operations, {
  overview: (app, _caller, { period }) => overview(app, period),
  series: (app, _caller, question) => series(app, question),
  attention: app => attention(app),
})
