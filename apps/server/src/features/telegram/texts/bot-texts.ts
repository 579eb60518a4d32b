import type { BotCommand } from '@hub/contract'

export type RedeemFailure = 'unknown' | 'used' | 'disabled' | 'expired' | 'own_rank' | 'too_many'

export type BindOutcome = 'bound' | 'already' | 'expired' | 'taken' | 'other'

/** The messages of the bot in one language, in the HTML of Telegram. Callers escape the arguments. */
export type BotTexts = {
  /** Shown by Telegram next to each command. */
  commands: Record<BotCommand, string>
  welcome(site: string): string
  /** The account is not bound; it is bound at this address of the console. */
  notBound(url: string | undefined): string
  bind: Record<BindOutcome, (name: string) => string>
  unbound: string
  /** The account is disabled by an administrator. */
  disabled: string
  /** Account data is shown in private chats only. */
  privateOnly: string
  balance(values: { left: string; used: string; requests: string }): string
  /** Plain text, by which an answer to it is recognised. */
  rechargePrompt: string
  rechargePlaceholder: string
  recharged(amount: string, left: string): string
  rechargeFailed: Record<RedeemFailure, string>
  noKeys(url: string | undefined): string
  keys(list: string, url: string | undefined): string
  previousPage: string
  nextPage: string
  invitation(values: {
    code: string
    url: string | undefined
    count: string
    reward: string
  }): string
}
