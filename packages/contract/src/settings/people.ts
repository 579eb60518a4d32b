import { z } from 'zod'
import { moneyNumber } from '../money-bounds.ts'
import { boolean, integer, secret, text } from './fields.ts'

export const registration = z.object({
  /** If off, only super administrators sign in with a password. */
  PasswordLoginEnabled: boolean(true),
  RegisterEnabled: boolean(true),
  PasswordRegisterEnabled: boolean(true),
  /** New users need a code that was sent to their e-mail address. */
  EmailVerificationEnabled: boolean(false),
  EmailDomainRestrictionEnabled: boolean(false),
  /** Domains separated by commas. */
  EmailDomainWhitelist: z
    .string()
    .max(5000)
    .refine(
      value => value.split(',').every(each => /^([a-z\d-]+\.)+[a-z\d-]{2,}$/i.test(each.trim())),
      'must be domains such as example.com, separated by commas',
    )
    .default(
      'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
    ),
  /** First quota of a new user, in points. */
  QuotaForNewUser: moneyNumber('QuotaForNewUser').default(0),
  /** Reward of the inviter, in points. */
  QuotaForInviter: moneyNumber('QuotaForInviter').default(0),
  /** Reward of the invited user, in points, in addition to the first quota. */
  QuotaForInvitee: moneyNumber('QuotaForInvitee').default(0),
  /** When the inviter is rewarded: at the registration, or after the invited user paid or spent points that were no gift. */
  InviterRewardTime: z
    .enum(['payment_or_spending', 'payment', 'spending', 'at_once'])
    .default('payment_or_spending'),
  /** Invitations a day that bring gifts and rewards: of one inviter, from one address, and in all. 0: no limit. */
  InvitationsPerInviterMax: integer(0, 1_000_000, 10),
  InvitationsPerAddressMax: integer(0, 1_000_000, 2),
  InvitationsPerDayMax: integer(0, 1_000_000, 200),
  /** API keys that one user may have at a time. */
  TokensPerUserMax: integer(1, 1_000_000, 200),
})

/** How often an address or an account may try before it has to wait. The least values keep guessing hopeless. */
export const signInLimits = z.object({
  /** The window of all of these limits. */
  SignInLimitMinutes: integer(1, 1440, 20),
  /** Failed sign-ins, codes and redemptions of one address. Successes are not counted. */
  FailuresPerAddressMax: integer(5, 100_000, 50),
  /** Failed attempts of one address, or of one known browser, at one account. */
  FailuresPerAccountMax: integer(3, 100, 10),
  /** Failed attempts of all unknown browsers at one account; at most what NIST SP 800-63B allows in a row. */
  FailuresPerAccountTotalMax: integer(10, 100, 100),
  /** Redemption codes that one user may try in vain. */
  FailedCodesPerUserMax: integer(3, 1000, 20),
  /** Sign-ins and bindings at other providers that one address may begin. */
  StartsPerAddressMax: integer(20, 1_000_000, 300),
  /** E-mails with codes or links, and test notifications, that one address may ask for. */
  MessagesPerAddressMax: integer(3, 10_000, 20),
  RegistrationsPerAddressMax: integer(1, 10_000, 20),
})

export const mail = z.object({
  SMTPServer: text(253).refine(
    value => value === '' || /^[a-z\d:]([a-z\d.:-]*[a-z\d])?$/i.test(value),
    'must be a host name or an IP address',
  ),
  /** 465 uses TLS. 587, and a sign-in at another host than localhost, require STARTTLS. */
  SMTPPort: integer(1, 65_535, 587),
  SMTPAccount: text(254),
  /** Empty: `SMTPAccount`. */
  SMTPFrom: text(254).refine(
    value => value === '' || z.email().safeParse(value).success,
    'must be an e-mail address',
  ),
  SMTPToken: secret(),
  /** Visitors can ask for a link by which they choose a new password. */
  PasswordResetEnabled: boolean(false),
  /** A user whose balance falls below these points gets one e-mail. 0: off. */
  QuotaRemindThreshold: integer(0, 1_000_000_000_000, 1000),
  /** A day's spend of a user above this multiple of the median day is reported. 0: off. */
  UnusualSpendFactor: integer(0, 1000, 5),
})

export const passkeys = z.object({
  /** Users may add passkeys and sign in by them. The domain of `ServerAddress` is part of every passkey. */
  PasskeyLoginEnabled: boolean(true),
})

/** Cloudflare Turnstile. While it is on without both keys, only super administrators sign in with a password. */
export const turnstile = z.object({
  TurnstileSiteKey: text(200),
  TurnstileSecretKey: secret(),
  TurnstileCheckEnabled: boolean(false),
  /** Visitors may go on without a check while Cloudflare does not answer. */
  TurnstileOutageAllowed: boolean(false),
})

/** Writes of money that need the super administrator, unless the setting allows them to administrators. */
export const administrators = z.object({
  /** Create, change and delete payment gateways, with their keys and fees. */
  AdminGatewayWritesAllowed: boolean(false),
  /** Set a group ratio below `lowRatio`, or open such a group to more users. */
  AdminLowRatiosAllowed: boolean(false),
  /** Set a price to 0. */
  AdminFreePricesAllowed: boolean(false),
  /** Credit an unpaid order of a user by hand. */
  AdminOrderCreditsAllowed: boolean(false),
  /** Delete logs. */
  AdminLogDeletionAllowed: boolean(false),
})
