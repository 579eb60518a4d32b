import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { login } from './login.ts'
import { register } from './register.ts'

export const signIn = implement(contract['sign-in'], {
  login: (app, _caller, input, visit) => login(app, input, visit),
  register: async (app, _caller, input, visit) => {
    await register(app, input, visit)
    return null
  },
  // A link on another site cannot reach this: its request carries no SameSite=Strict cookie, so there is nothing to end.
  logout: async (_app, _caller, _input, visit) => {
    await visit.endSession()
    return null
  },
  logoutByPost: async (_app, _caller, _input, visit) => {
    await visit.endSession()
    return null
  },
})
