import type { EmailLanguage } from '../../../core/define-job.ts'
import type { BotTexts } from './bot-texts.ts'
import { enUS } from './en_US.ts'
import { jaJP } from './ja_JP.ts'
import { zhCN } from './zh_CN.ts'
import { zhHK } from './zh_HK.ts'

export type { BindOutcome, BotTexts, RedeemFailure } from './bot-texts.ts'

export const botTexts: Record<EmailLanguage, BotTexts> = {
  zh_CN: zhCN,
  zh_HK: zhHK,
  en_US: enUS,
  ja_JP: jaJP,
}

/** Maps the language of a Telegram app (an IETF tag) to texts, or to those of the site if there are none in it. */
export const languageOf = (tag: string | undefined, site: EmailLanguage): EmailLanguage => {
  const [language, ...parts] = (tag ?? '').toLowerCase().split('-')
  if (language === 'en') return 'en_US'
  if (language === 'ja') return 'ja_JP'
  if (language !== 'zh') return site
  if (parts.some(part => ['hant', 'hk', 'tw', 'mo'].includes(part))) return 'zh_HK'
  return parts.length > 0 || !site.startsWith('zh') ? 'zh_CN' : site
}
