import type { NotificationEvent } from '@hub/contract'
import type { App } from '../core/app.ts'
import type { EmailLanguage } from '../core/define-job.ts'
import { siteUrl } from '../core/site/address.ts'
import type { NotificationRow } from '../db/queries/notifications.ts'
import type { Message } from '../integrations/notifiers/notifier.ts'
import { enUS } from './texts/en_US.ts'
import { jaJP } from './texts/ja_JP.ts'
import type { EventFields, Texts } from './texts/texts.ts'
import { zhCN } from './texts/zh_CN.ts'
import { zhHK } from './texts/zh_HK.ts'

const languages: Record<EmailLanguage, Texts> = {
  zh_CN: zhCN,
  zh_HK: zhHK,
  en_US: enUS,
  ja_JP: jaJP,
}

/** The page of the console that a message links to, for an administrator and for the user. */
const pages: Partial<Record<NotificationEvent, readonly [site: string, account: string]>> = {
  'channel.status': ['channel', 'channel'],
  'channel.funds': ['channel', 'channel'],
  'channel.balance': ['channel', 'channel'],
  'channel.models': ['channel', 'channel'],
  'channel.ratio': ['channel', 'channel'],
  'order.paid': ['payment#order', 'topup'],
  'order.review': ['payment#order', 'topup'],
  'task.failed': ['task', 'task'],
  'price.waiting': ['pricing', 'pricing'],
  'spend.unusual': ['log', 'log'],
  'model.below_cost': ['margin?by=model,channel', 'margin?by=model,channel'],
  'node.lost': ['system_info', 'system_info'],
  'backup.failed': ['system_info', 'system_info'],
  'backup.late': ['system_info', 'system_info'],
  'job.failed': ['system_info', 'system_info'],
  'mail.failed': ['setting', 'setting'],
  'notifier.failed': ['notification', 'notification'],
  'payment.failed': ['payment', 'payment'],
  'price_list.failed': ['pricing', 'pricing'],
  'bot.failed': ['telegram', 'telegram'],
  'task_storage.failed': ['setting', 'setting'],
  'balance.failed': ['channel', 'channel'],
  'model_list.failed': ['channel', 'channel'],
  'balance.low': ['topup', 'topup'],
  'invoice.ready': ['invoice', 'invoice'],
  'sign_in.new_device': ['profile', 'profile'],
  'credential.changed': ['profile', 'profile'],
  test: ['notification', 'profile'],
}

type Rendered = Pick<NotificationRow, 'event' | 'facts' | 'count'>

const textOf = (texts: Texts, { event, facts, count }: Rendered) =>
  texts.events[event as NotificationEvent](JSON.parse(facts) as EventFields, count)

const textsOf = (language: string): Texts => languages[language as EmailLanguage] ?? enUS

export const titleOf = (language: string, row: Rendered): string =>
  textOf(textsOf(language), row).title

type Recipient = { language: string; user_id: number }

/** Makes one message of one event, or of all that a digest collected. */
export const renderMessage = (
  app: App,
  { language, user_id }: Recipient,
  rows: readonly NotificationRow[],
): Message => {
  const texts = textsOf(language)
  const { SystemName } = app.settings().site
  const parts = rows.map(row => textOf(texts, row))
  const [first] = parts
  const page = pages[rows[0]!.event as NotificationEvent]?.[user_id === 0 ? 0 : 1]
  const url = siteUrl(app, `/panel/${rows.length === 1 ? page : 'dashboard'}`)
  return {
    // A repeated message has the same rows and so the same id, by which receivers detect the repetition.
    id: app.seal.fingerprint('notification-target', `message:${rows[0]!.batch}`).slice(0, 32),
    title: `${SystemName}: ${rows.length === 1 ? first!.title : texts.digest(rows.length)}`,
    paragraphs:
      rows.length === 1
        ? first!.lines
        : parts.map(({ title, lines }) => [title, ...lines].join('\n')),
    ...(url && { link: { label: texts.open, url } }),
    events: rows.map(({ event, facts, count, created_at }) => ({
      type: event,
      at: created_at,
      count,
      facts: JSON.parse(facts) as EventFields,
    })),
  }
}
