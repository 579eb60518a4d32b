import { contract } from '@hub/contract'
import { providers as register } from '@hub/providers'
import { implement } from '../../core/implement.ts'
import { describe } from './describe.ts'

export const providers = implement(contract.providers, {
  list: () => register.map(describe),
})
