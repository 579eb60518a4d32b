import type { BotTexts } from './bot-texts.ts'

export const zhHK: BotTexts = {
  commands: {
    start: '機械人可以做甚麼',
    bind: '綁定帳戶',
    unbind: '解除綁定',
    balance: '查詢餘額與用量',
    recharge: '使用兌換碼充值',
    apikey: '查看 API 金鑰',
    aff: '邀請好友',
  },
  welcome: site => `這裏是 <b>${site}</b> 的機械人。`,
  notBound: url =>
    `此對話尚未綁定帳戶。請登入後開啟個人資料，在 Telegram 一欄按「綁定」${url ? `：\n${url}` : '。'}`,
  bind: {
    bound: name => `已綁定帳戶 <b>${name}</b>，現在可以使用所有指令。`,
    already: name => `此對話已綁定帳戶 <b>${name}</b>。`,
    expired: () => '此連結已過期或已被使用，請在個人資料中重新產生。',
    taken: () => '此 Telegram 帳戶已綁定其他用戶，請先用 /unbind 解除綁定。',
    other: name => `<b>${name}</b> 已綁定其他 Telegram 帳戶，請先在個人資料中解除。`,
  },
  unbound: '已解除綁定。',
  disabled: '您的帳戶已被停用，請聯絡管理員。',
  privateOnly: '請在私人對話中使用此指令。',
  balance: ({ left, used, requests }) =>
    `餘額：<b>${left}</b>\n已用：${used}\n請求次數：${requests}`,
  rechargePrompt: '請回覆此訊息並傳送您的兌換碼。',
  rechargePlaceholder: '兌換碼',
  recharged: (amount, left) => `已充值 <b>${amount}</b>，目前餘額 <b>${left}</b>。`,
  rechargeFailed: {
    unknown: '兌換碼不存在。',
    used: '兌換碼已被使用。',
    disabled: '兌換碼已停用。',
    expired: '兌換碼已過期。',
    own_rank: '管理員只能使用超級管理員建立的兌換碼。',
    too_many: '嘗試次數過多，請稍後再試。',
  },
  noKeys: url =>
    url ? `您還沒有 API 金鑰，可在此建立：\n${url}` : '您還沒有 API 金鑰，請在控制台建立。',
  keys: (list, url) =>
    `您的 API 金鑰：\n\n${list}\n\n完整金鑰請在控制台複製${url ? `：\n${url}` : '。'}`,
  previousPage: '‹ 上一頁',
  nextPage: '下一頁 ›',
  invitation: ({ code, url, count, reward }) =>
    `您的邀請碼：<code>${code}</code>${url ? `\n邀請連結：${url}` : ''}\n\n已邀請：${count}\n獎勵：${reward}`,
}
