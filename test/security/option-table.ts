import type { lowestRoles } from './access-table.ts'

/** The options that a role sees, or whose effect it sees, without a call of `/api/option/`. Root reads and writes all. */
export const optionTable: Readonly<
  Record<Exclude<keyof typeof lowestRoles, 'administrator'>, readonly string[]>
> = {
  visitor: [
    ...['SystemName', 'ServerAddress', 'Logo', 'Footer', 'Notice', 'About', 'HomePageContent'],
    ...['TopUpLink', 'ChatLink', 'ChatLinks', 'DisplayInCurrencyEnabled', 'PublicPricesEnabled'],
    ...['QuotaPerUnit', 'TimeZone', 'AnalyticsCode'],
    ...['UptimeEnabled', 'UptimeDomain', 'UptimePageName'],
    ...['PasswordLoginEnabled', 'EmailVerificationEnabled', 'PasskeyLoginEnabled'],
    'PasswordResetEnabled',
    ...['TurnstileCheckEnabled', 'TurnstileSiteKey'],
    ...['GitHubClientId', 'GitHubOAuthEnabled', 'LarkClientId', 'LarkAuthEnabled'],
    ...['OIDCAuthEnabled', 'WeChatAccountQRCodeImageURL', 'WeChatAuthEnabled'],
    ...['PaymentUSDRate', 'PaymentMinAmount', 'RechargeDiscount', 'UserInvoiceMonth'],
  ],
  user: [
    ...['RegisterEnabled', 'PasswordRegisterEnabled', 'QuotaForInviter', 'QuotaForInvitee'],
    ...['QuotaRemindThreshold', 'InviterRewardTime'],
  ],
  root: [
    ...['AnalyticsHosts', 'EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'],
    ...['SignInLimitMinutes', 'FailuresPerAddressMax', 'FailuresPerAccountMax'],
    ...['FailuresPerAccountTotalMax', 'FailedCodesPerUserMax', 'StartsPerAddressMax'],
    ...['MessagesPerAddressMax', 'RegistrationsPerAddressMax', 'LocalTrialEnabled'],
    ...['QuotaForNewUser', 'TokensPerUserMax', 'TurnstileOutageAllowed'],
    ...['GitHubServer', 'LarkServer', 'OIDCClientId', 'OIDCIssuer', 'OIDCScopes'],
    ...['OIDCUsernameClaims', 'WeChatServerAddress'],
    ...['TelegramApiRoot', 'TelegramUpdateMode', 'TelegramBotEnabled'],
    ...['ClaudeBudgetTokensPercentage', 'ClaudeDefaultMaxTokens'],
    ...['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'UnusualSpendFactor'],
    ...['RetryTimes', 'RetryCooldownSeconds', 'RetryTimeOut', 'PromptCacheRoutingEnabled'],
    ...['HedgedStartEnabled', 'HedgedStartMilliseconds', 'EmptyAnswerRetryEnabled'],
    ...['ClaudeAPIEnabled', 'GeminiAPIEnabled', 'EffortByNameEnabled'],
    ...['ConnectTimeoutSeconds', 'FirstByteTimeoutSeconds'],
    ...['IdleTimeoutSeconds', 'StreamDurationMaxSeconds', 'PingSeconds', 'SlowReaderSeconds'],
    ...['ChatCacheEnabled', 'ChatCacheExpireMinute', 'ChatCacheSampledEnabled'],
    ...['ChatCacheEntriesMax', 'ChatCacheMegabytesMax'],
    ...['SocketsPerTokenMax', 'KeepResponsesEnabled', 'KeepResponsesDays', 'CFWorkerImageUrl'],
    ...['EnableSafe', 'SafeMode', 'SafeKeyWords'],
    ...['PreConsumedQuota', 'AbandonedPointsPerMinute', 'HeldWaitSeconds'],
    ...['UpdatePriceService', 'DefaultPrice'],
    ...['AutoPriceUpdateMinutes', 'AutoPriceUpdateMode', 'AutoPriceUpdateApprovalPercent'],
    ...['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled'],
    ...['ChannelDisableThreshold', 'ChannelTestFrequency', 'ChannelUpdateFrequency'],
    ...['BalanceWarningDays', 'ModelWatchHours', 'UpstreamRatioHours'],
    ...['DisableChannelKeywords', 'PrivateAddressesAllowed', 'LogConsumeEnabled'],
    ...['LogRetentionDays', 'TaskDeadlineMinutes', 'TaskPollsPerSecond', 'TaskRetentionDays'],
    ...['TaskCopyDays', 'BackupIntervalHours', 'BackupTime', 'BackupKeep', 'BackupFolder'],
    ...['TaskStorageEnabled', 'TaskStorageEndpoint', 'TaskStorageRegion'],
    ...['TaskStorageBucket', 'TaskStoragePrefix', 'TaskStorageAccessKey'],
    ...['TaskStoragePathStyleEnabled'],
    ...['MjNotifyEnabled', 'MjForwardUrlEnabled'],
    ...['AdminGatewayWritesAllowed', 'AdminLowRatiosAllowed', 'AdminFreePricesAllowed'],
    ...['AdminOrderCreditsAllowed', 'AdminLogDeletionAllowed', 'FreezeForDebtEnabled'],
    ...['InvitationsPerInviterMax', 'InvitationsPerAddressMax', 'InvitationsPerDayMax'],
  ],
}

/** The options that nobody reads: stored encrypted, and listed only as set or not. */
export const secretOptions: readonly string[] = [
  ...['TurnstileSecretKey', 'GitHubClientSecret', 'LarkClientSecret', 'OIDCClientSecret'],
  ...['WeChatServerToken', 'SMTPToken', 'ChatImageRequestProxy', 'CFWorkerImageKey'],
  ...['TelegramBotToken', 'TelegramProxy', 'TaskStorageSecretKey'],
]
