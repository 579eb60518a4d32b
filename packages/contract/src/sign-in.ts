import { z } from 'zod'
import { get, NoData, NoInput, post, resource } from './resource.ts'
import { OwnUsername, Password, User } from './users.ts'

export const SignIn = z.object({
  username: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(128).meta({ secret: true }),
})

export const Registration = z.object({
  username: OwnUsername,
  password: Password,
  /** The code of the inviter. An unknown code is ignored. */
  aff_code: z.string().trim().max(64).default(''),
})

export const signIn = resource('/api/user', {
  login: post('/login', {
    access: 'public',
    input: SignIn,
    unsupported: ['turnstile'],
    reply: User,
    limit: 'critical',
    audit: true,
    summary: 'Signs in with username or e-mail address; sets the session cookie',
  }),
  register: post('/register', {
    access: 'public',
    input: Registration,
    unsupported: ['email', 'verification_code', 'turnstile'],
    reply: NoData,
    limit: 'critical',
    audit: true,
    summary: 'Creates an account with username and password; does not sign in',
  }),
  logout: get('/logout', {
    access: 'public',
    input: NoInput,
    reply: NoData,
    summary: 'Signs out; same-origin requests only',
  }),
  logoutByPost: post('/logout', {
    access: 'public',
    input: NoInput,
    reply: NoData,
    summary: 'Signs out',
  }),
})
