import { z } from 'zod'
import { Done, get, Nothing, post, put, resource } from './resource.ts'

/**
 * One line per setting: its One Hub option key, its type and its default. The server obeys it, the console draws it,
 * and a test flips each and sees behaviour change. On the wire every value is text, as in One Hub.
 */
const text = (max: number) => z.string().max(max).default('')
const flag = (value: boolean) => z.boolean().default(value)
const whole = (min: number, max: number, value: number) =>
  z.number().int().min(min).max(max).default(value)
/** Stored encrypted and never sent to anybody: what is read in `settings()` opens only where it is used. */
const secret = () => z.string().max(500).default('').meta({ secret: true })
const points = () => whole(0, 1_000_000_000_000, 0)
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
    DisplayInCurrencyEnabled: flag(true),
    /** Visitors without a session see models and prices. */
    PublicPricesEnabled: flag(true),
    QuotaPerUnit: z.number().positive().max(1e12).default(500_000),
    /** Of statistics and daily limits; empty: the zone of the server. */
    TimeZone: text(64).refine(
      value => value === '' || isZone(value),
      'must be a time zone such as Asia/Shanghai',
    ),
  }),
  registration: z.object({
    RegisterEnabled: flag(true),
    PasswordRegisterEnabled: flag(true),
    /** Points a new user begins with. */
    QuotaForNewUser: points(),
    /** Points for whoever invited a new user. */
    QuotaForInviter: points(),
    /** Points for a new user who was invited, on top of what every new user gets. */
    QuotaForInvitee: points(),
  }),
  claude: z.object({
    /** The share of the answer's limit that thinking may use, where a caller of another dialect gave no figure. */
    ClaudeBudgetTokensPercentage: z.number().min(0).max(1).default(0.8),
    /** The limit for Claude models whose caller gave none: `{"model": tokens, "default": tokens}`. */
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
    /** 465 is encrypted from the start; 587 and a sign-in anywhere but here demand STARTTLS. */
    SMTPPort: whole(1, 65_535, 587),
    SMTPAccount: text(254),
    /** Empty: the account. */
    SMTPFrom: text(254).refine(
      value => value === '' || z.email().safeParse(value).success,
      'must be an e-mail address',
    ),
    SMTPToken: secret(),
    /** Points: a user whose balance falls below is told by e-mail, once; 0: nobody is. */
    QuotaRemindThreshold: whole(0, 1_000_000_000_000, 1000),
  }),
  retry: z.object({
    RetryTimes: whole(0, 10, 3),
    RetryCooldownSeconds: whole(0, 3600, 5),
    /** Seconds after which no other channel is tried. */
    RetryTimeOut: whole(1, 3600, 60),
  }),
  relay: z.object({
    ConnectTimeoutSeconds: whole(1, 120, 5),
    FirstByteTimeoutSeconds: whole(1, 3600, 120),
    IdleTimeoutSeconds: whole(1, 3600, 300),
    StreamDurationMaxSeconds: whole(10, 86_400, 3600),
    /** A comment or ping goes to the caller after so many silent seconds of a stream; 0: never. */
    PingSeconds: whole(0, 300, 15),
    /** Seconds a caller may read nothing before a stream is given up. */
    SlowReaderSeconds: whole(5, 3600, 60),
  }),
  responses: z.object({
    /** Answers of `/v1/responses` are kept here where no vendor keeps them. */
    KeepResponsesEnabled: flag(false),
    /** Days that they are kept. */
    KeepResponsesDays: whole(1, 3_650, 30),
  }),
  money: z.object({
    /** Points added to the estimate of a token-priced hold. */
    PreConsumedQuota: whole(0, 100_000_000, 500),
    /** Where the console fetches a price list; an administrator may type another address. */
    UpdatePriceService: link().default(
      'https://raw.githubusercontent.com/MartialBE/one-api/prices/prices.json',
    ),
    /** Multiplier for models without a price; empty: they are refused. */
    DefaultPrice: z
      .union([z.literal(''), z.string().regex(/^\d{1,6}(\.\d{1,8})?$/, 'must be a decimal number')])
      .default(''),
  }),
  channels: z.object({
    AutomaticDisableChannelEnabled: flag(false),
    /** A test of all channels enables again what the gateway disabled, where it succeeds. */
    AutomaticEnableChannelEnabled: flag(false),
    /** Seconds: a test of all channels disables what answers slower; 0: nothing. */
    ChannelDisableThreshold: z.number().min(0).max(3600).default(5),
    /** Minutes between two tests of all channels; 0: only by hand. */
    ChannelTestFrequency: whole(0, 10_080, 0),
    /** Minutes between two updates of all balances; 0: only by hand. */
    ChannelUpdateFrequency: whole(0, 10_080, 0),
    /** One phrase a line: a refusal that contains one disables the channel. */
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
    PrivateAddressesAllowed: flag(true),
  }),
  logs: z.object({
    LogConsumeEnabled: flag(true),
    /** Days that logs are kept; 0: for ever. Balances never depend on them. */
    LogRetentionDays: whole(0, 36_500, 0),
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

/** Whether a key's value is a secret: encrypted at rest, never answered, a fingerprint in the audit log. */
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
    input: Nothing,
    reply: z.array(
      z.object({
        key: z.string(),
        /** Empty for a secret, whether it is set or not. */
        value: z.string(),
        /** On secrets only: whether there is one. */
        is_set: z.boolean().optional(),
      }),
    ),
    summary: 'All settings as text; of secrets only whether they are set',
  }),
  update: put('/', {
    access: 'root',
    input: z.object({ key: z.string().min(1).max(100), value: z.string().max(100_000) }),
    reply: Done,
    secrets: ({ key }) => (isSecretSetting(String(key)) ? ['value'] : []),
    summary: 'Changes one setting; a value that does not fit is refused and the old one stays',
  }),
  testMail: post('/test-mail', {
    access: 'root',
    input: z.object({ to: z.email().max(254) }),
    reply: Done,
    summary: 'Sends a test e-mail at once; a refusal says what the mail server said',
  }),
})
