import { contract } from '@hub/contract'
import { providers as providerRegister } from '@hub/providers'
import { implement } from '../../core/implement.ts'
import { describeProvider } from './describe.ts'

export const providers = implement(contract.providers, {
  list: () => providerRegister.map(describeProvider),
})
