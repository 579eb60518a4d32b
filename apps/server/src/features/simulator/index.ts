import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { replay } from './replay.ts'

export const simulator = implement(contract.simulator, {
  replay: (app, _caller, input) => replay(app, input),
})
