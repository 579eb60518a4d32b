import { contract } from '@hub/contract'
import { implement } from '../../core/implement.ts'
import { finishSecondStep } from '../../core/sign-in/finish-sign-in.ts'
import { requireBotCheck } from './bot-check.ts'
import { login } from './login.ts'
import { register } from './register.ts'
import { resetPassword, sendResetLink } from './reset-password.ts'
import { sendVerification } from './verify-email.ts'

export const signIn = implement(contract['sign-in'], {
  login: async (app, _caller, { turnstile, ...input }, context) => {
    await requireBotCheck(app, context, 'login', turnstile)
    return login(app, input, context)
  },
  secondStep: (app, _caller, { token, code }, context) =>
    finishSecondStep(app, token, code, context),
  register: async (app, _caller, { turnstile, ...input }, context) => {
    await requireBotCheck(app, context, 'register', turnstile)
    await register(app, input, context)
    return null
  },
  sendVerification: async (app, _caller, { email, turnstile }, context) => {
    await requireBotCheck(app, context, 'verification', turnstile)
    await sendVerification(app, email, context)
    return null
  },
  sendResetLink: async (app, _caller, { email, turnstile }, context) => {
    await requireBotCheck(app, context, 'reset', turnstile)
    await sendResetLink(app, email, context)
    return null
  },
  resetPassword: async (app, _caller, input, context) => {
    await resetPassword(app, input, context)
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
