import { z } from 'zod'
import { moneyNumber } from '../money-bounds.ts'
import { boolean, integer, link, text } from './fields.ts'

export const money = z.object({
  /** Points added to the estimate of a hold with a token price. */
  PreConsumedQuota: moneyNumber('PreConsumedQuota').default(500),
  /** Points of prompts that a user may abandon per minute before the first byte; a prompt that exceeds them is charged. */
  AbandonedPointsPerMinute: integer(0, 1_000_000_000, 10_000),
  /** Seconds that a call waits where only running calls of its payer hold what it needs. 0: it is refused at once. */
  HeldWaitSeconds: integer(0, 50, 40),
  /** The default address of the price list in the console. */
  UpdatePriceService: link().default(
    'https://raw.githubusercontent.com/MartialBE/one-api/prices/prices.json',
  ),
  /** The multiplier for models without a price. Empty: such models are refused. */
  DefaultPrice: z
    .union([z.literal(''), z.string().regex(/^\d{1,6}(\.\d{1,8})?$/, 'must be a decimal number')])
    .default(''),
})

/** Updates of prices from the list at `UpdatePriceService`. */
export const priceUpdates = z.object({
  /** Minutes between updates. 0: by hand only. */
  AutoPriceUpdateMinutes: integer(0, 525_600, 0),
  /** Locked prices never change. */
  AutoPriceUpdateMode: z.enum(['add', 'update', 'overwrite']).default('add'),
  /** Changes of a price by more than these percent, and removals, wait for an administrator. */
  AutoPriceUpdateApprovalPercent: moneyNumber('AutoPriceUpdateApprovalPercent').default(20),
})

export const channels = z.object({
  AutomaticDisableChannelEnabled: boolean(false),
  /** A successful test enables a channel that the gateway had disabled. */
  AutomaticEnableChannelEnabled: boolean(false),
  /** A test disables channels that answer slower than this many seconds. 0: none. */
  ChannelDisableThreshold: z.number().min(0).max(3600).default(5),
  /** Minutes between tests of all channels. 0: manual only. */
  ChannelTestFrequency: integer(0, 10_080, 0),
  /** Minutes between readings of the balance of each channel whose provider shows one. 0: manual only. */
  ChannelUpdateFrequency: integer(0, 10_080, 60),
  /** Administrators are warned of a balance that lasts for less than these days. 0: off. */
  BalanceWarningDays: integer(0, 365, 3),
  /** Hours between readings of the vendor's list for channels that watch it. 0: manual only. */
  ModelWatchHours: integer(0, 8_760, 24),
  /** Hours between readings of the multipliers of upstreams that are gateways. 0: manual only. */
  UpstreamRatioHours: integer(0, 8_760, 1),
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
})

export const logs = z.object({
  LogConsumeEnabled: boolean(true),
  /** 0: logs are kept for ever. Balances never depend on them. */
  LogRetentionDays: integer(0, 36_500, 0),
})

export const backups = z.object({
  /** Hours between backups, counted from `BackupTime`. 0: by hand only. */
  BackupIntervalHours: integer(0, 8_760, 0),
  /** `HH:MM` in the time zone of the site. */
  BackupTime: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:00')
    .default('03:00'),
  /** Older backups in the folder are deleted. */
  BackupKeep: integer(1, 1_000, 7),
  /** On the node that makes the backup. Relative to the data folder; empty: `backups` in it. */
  BackupFolder: text(500),
})
