import { z } from 'zod'
import { get, NoData, NoInput, post, put, resource } from './resource.ts'

/**
 * One line per setting: One Hub's option key, type and default. The console renders the form from this table, and a test
 * changes each setting and checks the effect. On the wire every value is text, as in One Hub.
 */
const text = (max: number) => z.string().max(max).default('')
const boolean = (value: boolean) => z.boolean().default(value)
const integer = (min: number, max: number, value: number) =>
  z.number().int().min(min).max(max).default(value)
/** Stored encrypted and never sent. `settings()` has the encrypted value, which is decrypted only on use. */
const secret = () => z.string().max(500).default('').meta({ secret: true })
const points = () => integer(0, 1_000_000_000_000, 0)
const link = () => z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default('')

export const settings = {
  site: z.object({
    SystemName: z.string().trim().min(1).max(50).default('One Hub'),
    ServerAddress: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .default('http://localhost:3000'),
    Logo: link(),
    Footer: text(20_000),
    Notice: text(100_000),
    About: text(100_000),
    HomePageContent: text(100_000),
    TopUpLink: link(),
    ChatLink: text(500),
    ChatLinks: text(20_000).refine(value => value === '' || isArray(value), 'must be a JSON list'),
    DisplayInCurrencyEnabled: boolean(true),
    /** Shows models and prices to visitors without a session. */
    PublicPricesEnabled: boolean(true),
    QuotaPerUnit: z.number().positive().max(1e12).default(500_000),
    /** The time zone of statistics, daily limits and times in the console. Empty: the zone of the server. */
    TimeZone: text(64).refine(
      value => value === '' || isZone(value),
      'must be a time zone such as Asia/Shanghai',
    ),
  }),
  registration: z.object({
    RegisterEnabled: boolean(true),
    PasswordRegisterEnabled: boolean(true),
    /** First quota of a new user, in points. */
    QuotaForNewUser: points(),
    /** Reward of the inviter, in points. */
    QuotaForInviter: points(),
    /** Reward of the invited user, in points, in addition to the first quota. */
    QuotaForInvitee: points(),
    /** API keys that one user may have at a time. */
    TokensPerUserMax: integer(1, 1_000_000, 200),
  }),
  claude: z.object({
    /** The share of the output limit for thinking, if a caller of another dialect gave no budget. */
    ClaudeBudgetTokensPercentage: z.number().min(0).max(1).default(0.8),
    /** The output limit for Claude models if the caller gave none: `{"model": tokens, "default": tokens}`. */
    ClaudeDefaultMaxTokens: z
      .string()
      .max(20_000)
      .refine(value => isLimits(value), 'must be a JSON object of whole numbers')
      .default('{"default":8192}'),
  }),
  mail: z.object({
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
    /** A user whose balance falls below these points gets one e-mail. 0: off. */
    QuotaRemindThreshold: integer(0, 1_000_000_000_000, 1000),
  }),
  retry: z.object({
    RetryTimes: integer(0, 10, 3),
    RetryCooldownSeconds: integer(0, 3600, 5),
    /** No other channel is tried after this many seconds. */
    RetryTimeOut: integer(1, 3600, 60),
  }),
  relay: z.object({
    ConnectTimeoutSeconds: integer(1, 120, 5),
    FirstByteTimeoutSeconds: integer(1, 3600, 120),
    IdleTimeoutSeconds: integer(1, 3600, 300),
    StreamDurationMaxSeconds: integer(10, 86_400, 3600),
    /** A silent stream sends a comment or ping after this many seconds. 0: never. */
    PingSeconds: integer(0, 300, 15),
    /** A stream is cancelled if the caller reads nothing for this long. */
    SlowReaderSeconds: integer(5, 3600, 60),
    /** Open WebSockets of one API key, on all nodes together. */
    SocketsPerTokenMax: integer(1, 10_000, 64),
  }),
  responses: z.object({
    /** Stores answers of `/v1/responses` on this server if the vendor does not store them. */
    KeepResponsesEnabled: boolean(false),
    /** The retention of stored answers. */
    KeepResponsesDays: integer(1, 3_650, 30),
  }),
  money: z.object({
    /** Points added to the estimate of a hold with a token price. */
    PreConsumedQuota: integer(0, 100_000_000, 500),
    /** Calls that a user may abandon per minute before their first byte; of any further one the prompt is charged. */
    AbandonedCallsPerMinute: integer(0, 1_000_000, 10),
    /** The default address of the price list in the console. */
    UpdatePriceService: link().default(
      'https://raw.githubusercontent.com/MartialBE/one-api/prices/prices.json',
    ),
    /** The multiplier for models without a price. Empty: such models are refused. */
    DefaultPrice: z
      .union([z.literal(''), z.string().regex(/^\d{1,6}(\.\d{1,8})?$/, 'must be a decimal number')])
      .default(''),
  }),
  channels: z.object({
    AutomaticDisableChannelEnabled: boolean(false),
    /** A successful test enables a channel that the gateway had disabled. */
    AutomaticEnableChannelEnabled: boolean(false),
    /** A test disables channels that answer slower than this many seconds. 0: none. */
    ChannelDisableThreshold: z.number().min(0).max(3600).default(5),
    /** Minutes between tests of all channels. 0: manual only. */
    ChannelTestFrequency: integer(0, 10_080, 0),
    /** Minutes between updates of all balances. 0: manual only. */
    ChannelUpdateFrequency: integer(0, 10_080, 0),
    /** One phrase per line. An upstream error that contains one disables the channel. */
    DisableChannelKeywords: z
      .string()
      .max(20_000)
      .default(
        [
          'Your credit balance is too low',
          'This organization has been disabled.',
          'You exceeded your current quota',
          'Permission denied',
          'Quota exceeded for quota metric',
          'API key not valid',
          'The security token included in the request is invalid',
          'Operation not allowed',
          'Your account is not authorized',
          'your account balance is insufficient',
          'Your account is currently blocked',
          'too many invalid requests',
        ].join('\n'),
      ),
    PrivateAddressesAllowed: boolean(true),
  }),
  logs: z.object({
    LogConsumeEnabled: boolean(true),
    /** 0: logs are kept for ever. Balances never depend on them. */
    LogRetentionDays: integer(0, 36_500, 0),
  }),
}

const isArray = (value: string) => {
  try {
    return Array.isArray(JSON.parse(value))
  } catch {
    return false
  }
}
const isLimits = (value: string) => {
  try {
    const limits: unknown = JSON.parse(value)
    const isObject = typeof limits === 'object' && limits !== null && !Array.isArray(limits)
    return isObject && Object.values(limits).every(each => Number.isInteger(each) && each > 0)
  } catch {
    return false
  }
}

const isZone = (value: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: value }))
  } catch {
    return false
  }
}

export type Settings = { [S in keyof typeof settings]: z.output<(typeof settings)[S]> }
export type SettingKey = { [S in keyof Settings]: keyof Settings[S] & string }[keyof Settings]

/** A secret setting is encrypted at rest, never sent, and a fingerprint in the audit log. */
export const isSecretSetting = (key: string): boolean =>
  Object.values(settings).some(({ shape }) => {
    const schema = (shape as Record<string, z.ZodType | undefined>)[key]
    return Object.hasOwn(shape, key) && schema?.meta()?.secret === true
  })

export const defaultSettings = (): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => [name, schema.parse({})]),
  ) as Settings

export const options = resource('/api/option', {
  list: get('/', {
    access: 'root',
    input: NoInput,
    reply: z.array(
      z.object({
        key: z.string(),
        /** Always empty for a secret. */
        value: z.string(),
        /** Present for secrets only: true if a value is stored. */
        is_set: z.boolean().optional(),
      }),
    ),
    summary: 'All settings as text; secrets are only marked as set or not',
  }),
  update: put('/', {
    access: 'root',
    input: z.object({ key: z.string().min(1).max(100), value: z.string().max(100_000) }),
    reply: NoData,
    secrets: ({ key }) => (isSecretSetting(String(key)) ? ['value'] : []),
    summary: 'Changes one setting; an invalid value is refused',
  }),
  testMail: post('/test-mail', {
    access: 'root',
    input: z.object({ to: z.email().max(254) }),
    reply: NoData,
    summary: 'Sends a test e-mail; an error contains the message of the mail server',
  }),
})
