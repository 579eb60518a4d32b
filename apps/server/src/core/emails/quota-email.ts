import type { EmailLanguage, EmailText } from '../define-job.ts'

type QuotaFacts = {
  name: string
  site: string
  points: number
  usd: string
  url: string | undefined
}

const texts: Record<EmailLanguage, (facts: QuotaFacts) => EmailText> = {
  zh_CN: ({ name, site, points, usd, url }) => ({
    title: points === 0 ? `${site}：额度已用尽` : `${site}：额度即将用尽`,
    paragraphs: [
      `${name}，您好：`,
      points === 0
        ? '您的账户额度已用尽，充值前新的请求会被拒绝。'
        : `您的账户仅剩 $${usd}（${points} 点）。`,
    ],
    ...(url && { link: { label: '去充值', url } }),
  }),
  zh_HK: ({ name, site, points, usd, url }) => ({
    title: points === 0 ? `${site}：額度已用盡` : `${site}：額度即將用盡`,
    paragraphs: [
      `${name}，您好：`,
      points === 0
        ? '您的帳戶額度已用盡，充值前新的請求會被拒絕。'
        : `您的帳戶只餘 $${usd}（${points} 點）。`,
    ],
    ...(url && { link: { label: '前往充值', url } }),
  }),
  en_US: ({ name, site, points, usd, url }) => ({
    title: points === 0 ? `${site}: your quota is used up` : `${site}: your quota is running low`,
    paragraphs: [
      `Hello ${name},`,
      points === 0
        ? 'The quota of your account is used up. New requests are refused until you top up.'
        : `Your account has $${usd} left (${points} points).`,
    ],
    ...(url && { link: { label: 'Top up', url } }),
  }),
  ja_JP: ({ name, site, points, usd, url }) => ({
    title: points === 0 ? `${site}：残高がなくなりました` : `${site}：残高が少なくなっています`,
    paragraphs: [
      `${name} 様`,
      points === 0
        ? 'アカウントの残高がなくなりました。チャージするまで新しいリクエストは拒否されます。'
        : `アカウントの残高は $${usd}（${points} ポイント）です。`,
    ],
    ...(url && { link: { label: 'チャージする', url } }),
  }),
}

/** Returns the text in the language of the site. */
export const quotaEmail = (language: EmailLanguage, facts: QuotaFacts): EmailText =>
  texts[language](facts)
