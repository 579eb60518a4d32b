import { z } from 'zod'
import { Avatar } from './avatar.ts'
import { moneyRightNames } from './money-rights.ts'
import {
  del,
  get,
  Id,
  ListQuery,
  NoData,
  orderQuery,
  Points,
  pageOf,
  post,
  put,
  resource,
  rowFields,
} from './resource.ts'
import { Session, SessionId } from './sessions.ts'

export const roles = { user: 1, admin: 10, root: 100 } as const
export const Role = z.union([z.literal(1), z.literal(10), z.literal(100)])
export type Role = z.output<typeof Role>
/** 1 enabled, 2 disabled. */
export const UserStatus = z.union([z.literal(1), z.literal(2)])

/** Controls, formats, line separators and other characters that nobody sees, by which two names look the same. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

export const Username = z
  .string()
  .trim()
  .min(3)
  .max(32)
  .refine(name => !invisible.test(name), 'must not contain invisible characters')
/** A name that users choose. It is never an e-mail address, so that a refusal reveals no address of others. */
export const OwnUsername = Username.refine(
  name => !name.normalize('NFKC').includes('@'),
  'must not contain @',
)
/** Passwords are never truncated; longer ones are refused. */
export const Password = z.string().min(8).max(128).meta({ secret: true })
/** In lower case, as stored. */
export const RequiredEmail = z.email().max(254).toLowerCase()
export const Email = z.union([z.literal(''), z.email().max(254)])

/** A user as shown to themself and to administrators. Contains no secret. */
export const User = z.object({
  id: z.number(),
  username: z.string(),
  display_name: z.string(),
  role: Role,
  status: UserStatus,
  email: z.string(),
  avatar_url: z.string(),
  group: z.string(),
  /** The balance, in points. */
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
  aff_code: z.string(),
  aff_count: z.number(),
  /** Points earned by invitations; part of the balance. */
  aff_quota: z.number(),
  /** One Hub's second name of `aff_quota`. Equal, because rewards are paid at once. */
  aff_history_quota: z.number(),
  inviter_id: z.number(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  lark_id: z.string(),
  telegram_id: z.number(),
  created_time: z.number(),
  last_login_time: z.number(),
  last_login_ip: z.string(),
  /** The password is the initial one, or an administrator set it. */
  must_change_password: z.boolean(),
  has_access_token: z.boolean(),
  /** False: the account signs in by a third party only. */
  has_password: z.boolean(),
  has_second_factor: z.boolean(),
  has_passkey: z.boolean(),
})
export type User = z.output<typeof User>

/** The signed-in user. */
export const OwnUser = User.extend({
  /** The writes of money that this user may do beyond those of every administrator. */
  money_rights: z.array(z.enum(moneyRightNames)),
})
export type OwnUser = z.output<typeof OwnUser>

export const NewUser = z.object({
  username: Username,
  password: Password,
  display_name: z.string().trim().max(50).default(''),
  email: Email.default(''),
  avatar_url: Avatar.default(''),
  role: Role.default(1),
  group: z.string().default('default'),
  quota: Points.default(0),
})
export const UserPatch = z.object({
  id: z.number().int().positive(),
  username: Username.optional(),
  display_name: z.string().trim().max(50).optional(),
  email: Email.optional(),
  avatar_url: Avatar.optional(),
  role: Role.optional(),
  group: z.string().min(1).optional(),
  /** The status of the row; another one is refused, because `manage` changes it. */
  status: UserStatus.optional(),
  /** Absent or empty: unchanged. A new password ends all sessions, and must be changed at the next sign-in. */
  password: z.union([z.literal(''), Password]).optional(),
})
export const QuotaChange = z.object({
  id: z.number().int().positive(),
  /** Points to add, or to take if negative. Taking more than the balance is refused. */
  quota: z
    .number()
    .int()
    .min(-Number.MAX_SAFE_INTEGER)
    .max(Number.MAX_SAFE_INTEGER)
    .refine(quota => quota !== 0, 'must not be 0'),
  remark: z.string().trim().max(200).default(''),
})

export const users = resource('/api/user', {
  list: get('/', {
    access: 'admin',
    input: ListQuery.extend({
      order: orderQuery(
        'id',
        'username',
        'role',
        'status',
        'created_time',
        'last_login_time',
        'last_login_ip',
      ),
      role: Role.optional(),
      status: UserStatus.optional(),
      group: z.string().max(50).optional(),
    }),
    response: pageOf(User),
    summary: 'Users; `keyword` is an id or the beginning of a name, e-mail address or group',
  }),
  get: get('/:id', { access: 'admin', input: Id, response: User, summary: 'One user' }),
  create: post('/', {
    access: 'admin',
    input: NewUser,
    unsupported: ['avatar'],
    response: User,
    summary: 'Creates a user',
  }),
  update: put('/', {
    access: 'admin',
    input: UserPatch,
    ignored: rowFields(
      User,
      'quota',
      'used_quota',
      'request_count',
      'aff_code',
      'aff_count',
      'aff_quota',
      'aff_history_quota',
      'inviter_id',
      'github_id',
      'oidc_id',
      'wechat_id',
      'lark_id',
      'telegram_id',
      'created_time',
      'last_login_time',
      'last_login_ip',
      'must_change_password',
      'has_access_token',
      'has_password',
      'has_second_factor',
      'has_passkey',
    ),
    unsupported: ['avatar'],
    response: User,
    summary: 'Changes a user of a lower role',
  }),
  manage: post('/manage', {
    access: 'admin',
    input: z.object({
      username: z.string().min(1),
      action: z.enum(['enable', 'disable', 'delete', 'promote', 'demote']),
    }),
    response: User.pick({ id: true, role: true, status: true }),
    summary: 'Enables, disables, deletes, promotes or demotes a user of a lower role',
  }),
  quota: post('/quota/:id', {
    access: 'admin',
    input: QuotaChange,
    response: User,
    summary: 'Adds to a balance or takes from it',
  }),
  remove: del('/:id', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Deletes a user of a lower role',
  }),
  sessions: get('/:id/sessions', {
    access: 'admin',
    input: Id,
    response: z.array(Session),
    summary: 'Where a user of a lower role is signed in',
  }),
  endSession: del('/:id/sessions/:session', {
    access: 'admin',
    input: Id.extend({ session: SessionId }),
    response: NoData,
    summary: 'Signs a user of a lower role out of one browser',
  }),
  endSessions: del('/:id/sessions', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary: 'Signs a user of a lower role out everywhere',
  }),
  resetSecondFactor: post('/:id/reset_2fa', {
    access: 'admin',
    input: Id,
    response: NoData,
    summary:
      'Takes second factor and passkeys from a user of a lower role, who lost them, and signs them out',
  }),
})
