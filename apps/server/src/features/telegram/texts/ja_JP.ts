import type { BotTexts } from './bot-texts.ts'

export const jaJP: BotTexts = {
  commands: {
    start: 'このボットでできること',
    bind: 'アカウントを連携',
    unbind: '連携を解除',
    balance: '残高と使用量',
    recharge: '引き換えコードでチャージ',
    apikey: 'API キーの一覧',
    aff: '友だちを招待',
  },
  welcome: site => `<b>${site}</b> のボットです。`,
  notBound: url =>
    `このチャットはまだアカウントと連携されていません。サインインしてプロフィールを開き、Telegram の「連携」を選んでください${url ? `：\n${url}` : '。'}`,
  bind: {
    bound: name => `アカウント <b>${name}</b> と連携しました。すべてのコマンドが使えます。`,
    already: name => `このチャットはすでにアカウント <b>${name}</b> と連携しています。`,
    expired: () =>
      'このリンクは期限切れか、すでに使用されています。プロフィールで新しいリンクを作成してください。',
    taken: () =>
      'この Telegram アカウントは別のユーザーと連携しています。先に /unbind で解除してください。',
    other: name =>
      `<b>${name}</b> は別の Telegram アカウントと連携しています。先にプロフィールで解除してください。`,
  },
  unbound: '連携を解除しました。',
  disabled: 'アカウントは無効になっています。管理者にお問い合わせください。',
  privateOnly: 'このコマンドは個別チャットでご利用ください。',
  balance: ({ left, used, requests }) =>
    `残高：<b>${left}</b>\n使用量：${used}\nリクエスト数：${requests}`,
  rechargePrompt: 'このメッセージに返信して、引き換えコードを送ってください。',
  rechargePlaceholder: '引き換えコード',
  recharged: (amount, left) => `<b>${amount}</b> をチャージしました。残高は <b>${left}</b> です。`,
  rechargeFailed: {
    unknown: 'このコードは存在しません。',
    used: 'このコードはすでに使用されています。',
    disabled: 'このコードは無効です。',
    expired: 'このコードは期限切れです。',
    own_rank: '管理者が使えるのは、スーパー管理者が作成したコードのみです。',
    too_many: '試行回数が多すぎます。しばらくしてからもう一度お試しください。',
  },
  noKeys: url =>
    url
      ? `API キーがまだありません。こちらで作成できます：\n${url}`
      : 'API キーがまだありません。コンソールで作成できます。',
  keys: (list, url) =>
    `API キー：\n\n${list}\n\nキー全体はコンソールでコピーできます${url ? `：\n${url}` : '。'}`,
  previousPage: '‹ 前へ',
  nextPage: '次へ ›',
  invitation: ({ code, url, count, reward }) =>
    `招待コード：<code>${code}</code>${url ? `\n招待リンク：${url}` : ''}\n\n招待した人数：${count}\n報酬：${reward}`,
}
