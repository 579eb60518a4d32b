import type { SettingKey, Settings } from './settings/index.ts'

type SettingsOfType<T> = {
  [S in keyof Settings]: {
    [K in keyof Settings[S] & string]: Settings[S][K] extends T ? K : never
  }[keyof Settings[S] & string]
}[keyof Settings]

/** Settings that turn something on: each with two values, and one that chooses a webhook. */
export type SwitchKey = SettingsOfType<boolean> | 'TelegramUpdateMode'

type SwitchNeeds = {
  /** None of them may be empty. One of a list is enough. */
  settings?: readonly (SettingKey | readonly SettingKey[])[]
  /** People or vendors must reach this site at `ServerAddress`. */
  address?: true
}

const nothing: SwitchNeeds = {}
/** `SMTPFrom` is `SMTPAccount` where it is empty. */
const mailServer = ['SMTPServer', ['SMTPFrom', 'SMTPAccount']] as const

/**
 * Every switch with what it needs before it may be turned on, in the order of saving. Server, console and doctor read this
 * table.
 */
export const switchNeeds: Readonly<Record<SwitchKey, SwitchNeeds>> = {
  LocalTrialEnabled: nothing,
  DisplayInCurrencyEnabled: nothing,
  PublicPricesEnabled: nothing,
  UptimeEnabled: { settings: ['UptimeDomain', 'UptimePageName'] },
  PasswordLoginEnabled: nothing,
  RegisterEnabled: nothing,
  PasswordRegisterEnabled: nothing,
  EmailVerificationEnabled: { settings: mailServer },
  EmailDomainRestrictionEnabled: { settings: ['EmailDomainWhitelist'] },
  PasswordResetEnabled: { settings: mailServer, address: true },
  /** Passkeys of `localhost` work there; an unset address switches them off by itself. */
  PasskeyLoginEnabled: nothing,
  TurnstileCheckEnabled: { settings: ['TurnstileSiteKey', 'TurnstileSecretKey'] },
  TurnstileOutageAllowed: nothing,
  GitHubOAuthEnabled: { settings: ['GitHubClientId', 'GitHubClientSecret'], address: true },
  LarkAuthEnabled: { settings: ['LarkClientId', 'LarkClientSecret'], address: true },
  OIDCAuthEnabled: { settings: ['OIDCClientId', 'OIDCIssuer', 'OIDCClientSecret'], address: true },
  /** Visitors type a code, so that WeChat never calls or leads to this site. */
  WeChatAuthEnabled: { settings: ['WeChatServerAddress'] },
  PromptCacheRoutingEnabled: nothing,
  EmptyAnswerRetryEnabled: nothing,
  HedgedStartEnabled: nothing,
  EffortByNameEnabled: nothing,
  ClaudeAPIEnabled: nothing,
  GeminiAPIEnabled: nothing,
  ChatCacheEnabled: nothing,
  ChatCacheSampledEnabled: nothing,
  KeepResponsesEnabled: nothing,
  TaskStoragePathStyleEnabled: nothing,
  TaskStorageEnabled: {
    settings: [
      'TaskStorageEndpoint',
      'TaskStorageBucket',
      'TaskStorageAccessKey',
      'TaskStorageSecretKey',
    ],
  },
  MjNotifyEnabled: { address: true },
  MjForwardUrlEnabled: nothing,
  EnableSafe: { settings: ['SafeKeyWords'] },
  FreezeForDebtEnabled: nothing,
  UserInvoiceMonth: nothing,
  AdminGatewayWritesAllowed: nothing,
  AdminLowRatiosAllowed: nothing,
  AdminFreePricesAllowed: nothing,
  AdminOrderCreditsAllowed: nothing,
  AdminLogDeletionAllowed: nothing,
  AutomaticDisableChannelEnabled: nothing,
  AutomaticEnableChannelEnabled: nothing,
  PrivateAddressesAllowed: nothing,
  LogConsumeEnabled: nothing,
  TelegramBotEnabled: { settings: ['TelegramBotToken'], address: true },
  /** Polling asks Telegram, so that only `webhook` needs the address. */
  TelegramUpdateMode: { address: true },
}

export const isSwitch = (key: string): key is SwitchKey => Object.hasOwn(switchNeeds, key)

/** True if the value turns the switch on. */
export const isSwitchedOn = (value: unknown): boolean => value === true || value === 'webhook'

/** The settings that the switch still lacks. The first of a list is named. */
export const missingSettings = (
  key: SwitchKey,
  readValue: (key: SettingKey) => unknown,
): SettingKey[] =>
  (switchNeeds[key].settings ?? []).flatMap(need => {
    const accepted: readonly SettingKey[] = typeof need === 'string' ? [need] : need
    return accepted.every(each => readValue(each) === '') ? accepted.slice(0, 1) : []
  })
