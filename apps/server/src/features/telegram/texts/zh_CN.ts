import type { BotTexts } from './bot-texts.ts'

export const zhCN: BotTexts = {
  commands: {
    start: '机器人可以做什么',
    bind: '绑定账户',
    unbind: '解除绑定',
    balance: '查询余额与用量',
    recharge: '使用兑换码充值',
    apikey: '查看 API 密钥',
    aff: '邀请好友',
  },
  welcome: site => `这里是 <b>${site}</b> 的机器人。`,
  notBound: url =>
    `此聊天尚未绑定账户。请登录后打开个人资料，在 Telegram 一栏点击“绑定”${url ? `：\n${url}` : '。'}`,
  bind: {
    bound: name => `已绑定账户 <b>${name}</b>，现在可以使用所有命令。`,
    already: name => `此聊天已绑定账户 <b>${name}</b>。`,
    expired: () => '此链接已过期或已被使用，请在个人资料中重新生成。',
    taken: () => '此 Telegram 账户已绑定其他用户，请先用 /unbind 解除绑定。',
    other: name => `<b>${name}</b> 已绑定其他 Telegram 账户，请先在个人资料中解除。`,
  },
  unbound: '已解除绑定。',
  disabled: '您的账户已被停用，请联系管理员。',
  privateOnly: '请在私聊中使用此命令。',
  balance: ({ left, used, requests }) =>
    `余额：<b>${left}</b>\n已用：${used}\n请求次数：${requests}`,
  rechargePrompt: '请回复此消息并发送您的兑换码。',
  rechargePlaceholder: '兑换码',
  recharged: (amount, left) => `已充值 <b>${amount}</b>，当前余额 <b>${left}</b>。`,
  rechargeFailed: {
    unknown: '兑换码不存在。',
    used: '兑换码已被使用。',
    disabled: '兑换码已停用。',
    expired: '兑换码已过期。',
    own_rank: '管理员只能使用超级管理员创建的兑换码。',
    too_many: '尝试次数过多，请稍后再试。',
  },
  noKeys: url =>
    url ? `您还没有 API 密钥，可在此创建：\n${url}` : '您还没有 API 密钥，请在控制台创建。',
  keys: (list, url) =>
    `您的 API 密钥：\n\n${list}\n\n完整密钥请在控制台复制${url ? `：\n${url}` : '。'}`,
  previousPage: '‹ 上一页',
  nextPage: '下一页 ›',
  invitation: ({ code, url, count, reward }) =>
    `您的邀请码：<code>${code}</code>${url ? `\n邀请链接：${url}` : ''}\n\n已邀请：${count}\n奖励：${reward}`,
}
