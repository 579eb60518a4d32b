import { z } from 'zod'
import { get, NoData, NoInput, post, resource } from './resource.ts'
import { SecondFactorCode } from './second-factor.ts'
import { OwnUser, OwnUsername, Password, RequiredEmail } from './users.ts'

const botCheck = {
  /** The token of the bot check, if the site has one. Each is accepted once. */
  turnstile: z.string().max(2048).default('').meta({ secret: true }),
}

export const SignIn = z.object({
  username: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(128).meta({ secret: true }),
  ...botCheck,
})

export const Registration = z.object({
  username: OwnUsername,
  password: Password,
  /** Required with its code if the site verifies e-mail addresses, else refused. */
  email: z.union([z.literal(''), RequiredEmail]).default(''),
  verification_code: z.string().trim().max(20).default(''),
  /** The code of the inviter. An unknown code is ignored. */
  aff_code: z.string().trim().max(64).default(''),
  ...botCheck,
})

/** The user, or the token of a second step: the account has a second factor. */
export const SignInResult = z.union([
  OwnUser,
  z.object({
    require_2fa: z.literal(true),
    /** For `POST /api/user/login/2fa`, within ten minutes. */
    token: z.string(),
  }),
])
export type SignInResult = z.output<typeof SignInResult>

export const SecondStep = z.object({
  token: z.string().min(1).max(200).meta({ secret: true }),
  code: SecondFactorCode,
})

export const EmailInput = z.object({ email: RequiredEmail, ...botCheck })

export const PasswordReset = z.object({
  /** The token of the link. */
  token: z.string().min(1).max(200).meta({ secret: true }),
  password: Password,
})

export const signIn = resource('/api', {
  login: post('/user/login', {
    access: 'public',
    input: SignIn,
    unsupported: ['turnstile'],
    response: SignInResult,
    limit: 'failures',
    audit: true,
    summary:
      'Signs in with username or e-mail address; sets the session cookie, or asks for the second factor',
  }),
  secondStep: post('/user/login/2fa', {
    access: 'public',
    input: SecondStep,
    response: SignInResult,
    limit: 'failures',
    audit: true,
    summary: 'Ends a sign-in with a code of the second factor; sets the session cookie',
  }),
  register: post('/user/register', {
    access: 'public',
    input: Registration,
    unsupported: ['turnstile'],
    response: NoData,
    limit: 'registrations',
    audit: true,
    summary: 'Creates an account with username and password; does not sign in',
  }),
  sendVerification: post('/verification', {
    access: 'public',
    input: EmailInput,
    unsupported: ['turnstile'],
    response: NoData,
    limit: 'messages',
    summary: 'E-mails a code to an address; the answer does not tell whether an account has it',
  }),
  sendResetLink: post('/reset_password', {
    access: 'public',
    input: EmailInput,
    unsupported: ['turnstile'],
    response: NoData,
    limit: 'messages',
    summary: 'E-mails a link to choose a new password; the answer is the same without an account',
  }),
  resetPassword: post('/user/reset', {
    access: 'public',
    input: PasswordReset,
    response: NoData,
    limit: 'failures',
    audit: true,
    summary: 'Sets a new password by the token of a link; does not sign in',
  }),
  logout: get('/user/logout', {
    access: 'public',
    input: NoInput,
    response: NoData,
    summary: 'Signs out; same-origin requests only',
  }),
  logoutByPost: post('/user/logout', {
    access: 'public',
    input: NoInput,
    response: NoData,
    summary: 'Signs out',
  }),
})
