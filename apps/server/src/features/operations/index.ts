import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { attention } from './attention.ts'
import { overview } from './overview.ts'

export const operations = implement(contract.operations, {
  overview: (app, _caller, { period }) => overview(app, period),
  attention: app => attention(app),
})
