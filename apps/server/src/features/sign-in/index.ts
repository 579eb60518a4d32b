import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { login } from './login.ts'
import { register } from './register.ts'

export const signIn = implement(contract['sign-in'], {
  login: (app, _caller, input, context) => login(app, input, context),
  register: async (app, _caller, input, context) => {
    await register(app, input, context)
    return null
  },
  // GET is safe here: a request from another site has no SameSite=Strict cookie, so there is no session to end.
  logout: async (_app, _caller, _input, context) => {
    await context.endSession()
    return null
  },
  logoutByPost: async (_app, _caller, _input, context) => {
    await context.endSession()
    return null
  },
})
