import type { BotTexts } from './bot-texts.ts'

export const enUS: BotTexts = {
  commands: {
    start: 'What this bot can do',
    bind: 'Bind your account',
    unbind: 'Remove the binding',
    balance: 'Balance and usage',
    recharge: 'Redeem a code',
    apikey: 'Your API keys',
    aff: 'Invite friends',
  },
  welcome: site => `This is the bot of <b>${site}</b>.`,
  notBound: url =>
    `No account is bound to this chat. Sign in, open your profile and choose “Bind” next to Telegram${url ? `:\n${url}` : '.'}`,
  bind: {
    bound: name => `The account <b>${name}</b> is bound. You can use all commands now.`,
    already: name => `The account <b>${name}</b> is bound to this chat already.`,
    expired: () => 'This link has expired or was used. Make a new one in your profile.',
    taken: () =>
      'This Telegram account is bound to another user. Remove that binding first with /unbind.',
    other: name =>
      `<b>${name}</b> has another Telegram account. Remove that one first in the profile.`,
  },
  unbound: 'The binding is removed.',
  disabled: 'Your account is disabled. Please contact the administrator.',
  privateOnly: 'Please write to me in a private chat for this.',
  balance: ({ left, used, requests }) =>
    `Balance: <b>${left}</b>\nUsed: ${used}\nRequests: ${requests}`,
  rechargePrompt: 'Reply to this message with your redemption code.',
  rechargePlaceholder: 'Redemption code',
  recharged: (amount, left) => `Added <b>${amount}</b>. Your balance is now <b>${left}</b>.`,
  rechargeFailed: {
    unknown: 'There is no such code.',
    used: 'This code was used already.',
    disabled: 'This code is disabled.',
    expired: 'This code has expired.',
    own_rank: 'Administrators redeem only codes that a super administrator made.',
    too_many: 'Too many attempts. Please try again later.',
  },
  noKeys: url =>
    url
      ? `You have no API keys yet. Create one here:\n${url}`
      : 'You have no API keys yet. Create one in the console.',
  keys: (list, url) =>
    `Your API keys:\n\n${list}\n\nCopy a whole key in the console${url ? `:\n${url}` : '.'}`,
  previousPage: '‹ Previous',
  nextPage: 'Next ›',
  invitation: ({ code, url, count, reward }) =>
    `Your invite code: <code>${code}</code>${url ? `\nYour link: ${url}` : ''}\n\nInvited: ${count}\nRewards: ${reward}`,
}
