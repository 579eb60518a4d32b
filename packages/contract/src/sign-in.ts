import { z } from 'zod'
import { Done, get, Nothing, post, resource } from './resource.ts'
import { Password, User, Username } from './users.ts'

export const SignIn = z.object({
  username: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(128).meta({ secret: true }),
})

export const Registration = z.object({
  username: Username,
  password: Password,
  /** Of whoever invited; one that belongs to nobody is ignored. */
  aff_code: z.string().trim().max(64).default(''),
})

export const signIn = resource('/api/user', {
  login: post('/login', {
    access: 'public',
    input: SignIn,
    reply: User,
    limit: 'critical',
    audit: true,
    summary: 'Signs in by username or e-mail address; sets the session cookie',
  }),
  register: post('/register', {
    access: 'public',
    input: Registration,
    reply: Done,
    limit: 'critical',
    audit: true,
    summary: 'Makes an account by username and password; signing in is another call',
  }),
  logout: get('/logout', {
    access: 'public',
    input: Nothing,
    reply: Done,
    summary: 'Signs out; same-origin requests only',
  }),
  logoutByPost: post('/logout', {
    access: 'public',
    input: Nothing,
    reply: Done,
    summary: 'Signs out',
  }),
})
