import type { CredentialChange } from '../../core/sign-in/emails.ts'
import { failuresIn, type Texts } from './texts.ts'

const failure = failuresIn('理由：')

export const jaJP: Texts = {
  digest: count => `通知 ${count} 件`,
  open: 'コンソールを開く',
  changes: {
    password: 'パスワードの変更',
    email: 'メールアドレスの変更',
    username: 'ユーザー名の変更',
    'backup-codes': 'バックアップコードの再発行',
    'second-factor-on': '2 段階認証の有効化',
    'second-factor-off': '2 段階認証の無効化',
    'access-token': 'アクセストークンの新規作成',
    'passkey-added': 'パスキーの追加',
    'passkey-removed': 'パスキーの削除',
    'account-removed': 'アカウントの削除',
    'identity-added': 'サインイン用の外部アカウントの連携',
    'identity-removed': 'サインイン用の外部アカウントの連携解除',
    'telegram-added': 'Telegram アカウントの連携',
    'telegram-removed': 'Telegram アカウントの連携解除',
  },
  events: {
    'channel.status': ({ status, channel, channel_id, reason }, count) => ({
      title: `チャネル ${channel}（#${channel_id}）が${status === 'enabled' ? '有効' : '無効'}になりました`,
      lines: [
        ...(reason ? [`理由：${reason}`] : []),
        ...(count > 1 ? [`前回の通知以降、状態が ${count} 回変わりました。`] : []),
      ],
    }),
    'channel.funds': ({ channel, channel_id, reason }) => ({
      title: `チャネル ${channel}（#${channel_id}）のプロバイダー側の残高が不足しています`,
      lines: [
        `理由：${reason}`,
        'リクエストは他のチャネルに送られます。プロバイダーで入金し、チャネルをテストしてください。',
      ],
    }),
    'channel.balance': ({ channel, channel_id, amount, currency, warning, days, below }) => ({
      title: `チャネル ${channel}（#${channel_id}）のプロバイダー残高が少なくなっています：${amount} ${currency}`,
      lines: [
        warning === 'days'
          ? `最近の消費ペースでは ${days} 日以内になくなります。`
          : `チャネルの下限 ${below} ${currency} を下回りました。`,
        'プロバイダーの口座に入金してください。残高が回復するか、なくなるまで再度の通知はありません。',
      ],
    }),
    'channel.models': ({ name, added, removed, models }) => ({
      title: `チャネル ${name} のプロバイダーのモデルが変わりました：新規 ${added}、終了 ${removed}`,
      lines: [String(models), 'チャネルのページで、取り込むモデルを選んでください。'],
    }),
    'channel.ratio': ({ name, group, before, after }) => ({
      title: `チャネル ${name} の上流の倍率が変わりました：${before} → ${after}`,
      lines: [`上流のグループ：${group}`, '新しいコストと価格を見比べてください。'],
    }),
    'order.paid': ({ trade_no, usd, user }) => ({
      title: `注文 ${trade_no} の支払いが完了しました`,
      lines: [`${user} に $${usd} をチャージしました。`],
    }),
    'order.review': ({ trade_no, reason, user }) => ({
      title: `注文 ${trade_no} の確認が必要です`,
      lines: [`${user} の支払いはチャージされていません。理由：${reason}`],
    }),
    'task.failed': ({ model, reason }, count) => ({
      title: count === 1 ? `${model} のタスクが失敗しました` : `${count} 件のタスクが失敗しました`,
      lines: [`直近の理由：${reason}`, '失敗したタスクには課金されません。'],
    }),
    'price.waiting': ({ models, count }) => ({
      title: `価格変更 ${count} 件が承認待ちです`,
      lines: [`モデル：${models}`],
    }),
    'spend.unusual': ({ user, usd, median }) => ({
      title: `${user} の利用額が通常と異なります`,
      lines: [`本日の利用額は $${usd}、直近の中央値は $${median} です。`],
    }),
    'model.below_cost': ({ model, channel, days, loss, revenue, cost }) => ({
      title: `${model} が原価割れで販売されています`,
      lines: [
        `チャネル ${channel} では直近 ${days} 日間の原価が $${cost}、売上が $${revenue} で、損失は $${loss} です。`,
        'モデルの価格を上げるか、チャネルの原価表を修正してください。',
      ],
    }),
    'node.lost': ({ node }) => ({
      title: `ノード ${node} が失われました`,
      lines: [
        '正常に停止しなかったか、データベースとの接続が切れました。リクエストの精算は済んでいます。',
      ],
    }),
    'backup.failed': failure(
      'バックアップに失敗しました',
      '以前のバックアップに影響はありません。バックアップの設定と保存先を確認してください。',
    ),
    'backup.late': ({ hours }) => ({
      title: `${hours} 時間バックアップがありません`,
      lines: [
        'スケジュールが止まっています。終了しないバックアップがあるか、実行できるノードがありません。',
        '以前のバックアップに影響はありません。システム情報のジョブとバックアップを確認してください。',
      ],
    }),
    'job.failed': ({ name }) => ({
      title: `ジョブ ${name} に障害があります`,
      lines: [
        '2 回続けて失敗しました。数分ごとに再試行されます。',
        '理由はシステム情報のジョブ一覧に表示されます。',
      ],
    }),
    'mail.failed': failure(
      'メールサーバーに障害があります',
      'メールは保留され、再送されます。設定のメールサーバーを確認してください。',
    ),
    'notifier.failed': failure(
      name => `通知先 ${name} に障害があります`,
      'メッセージは保留され、再送されます。通知先を確認してください。',
    ),
    'payment.failed': failure(
      name => `決済ゲートウェイ ${name} に障害があります`,
      '支払いが遅れることがあります。認証情報と通知先アドレスを確認してください。',
    ),
    'price_list.failed': failure(
      '料金表を更新できません',
      '料金は変わりません。料金表のアドレスを確認してください。',
    ),
    'bot.failed': failure(
      'Telegram ボットに障害があります',
      'ボットは自動的に再起動されます。トークンと接続を確認してください。',
    ),
    'task_storage.failed': failure(
      'タスク結果のストレージに障害があります',
      '結果は後で再度コピーされます。設定のストレージを確認してください。',
    ),
    'balance.failed': failure(
      name => `チャネル ${name} の残高を取得できません`,
      'プロバイダー側でチャネルのキーを確認してください。',
    ),
    'model_list.failed': failure(
      name => `チャネル ${name} のモデル一覧を取得できません`,
      'モデルは削除していません。チャネルのキーとアドレスを確認してください。',
    ),
    'balance.low': ({ points, usd }) => ({
      title: points === 0 ? '残高がなくなりました' : '残高が少なくなっています',
      lines: [
        points === 0
          ? 'チャージするまで新しいリクエストは拒否されます。'
          : `アカウントの残高は $${usd}（${points} ポイント）です。`,
      ],
    }),
    'invoice.ready': ({ month, usd }) => ({
      title: `${month} の請求書ができました`,
      lines: [`金額は $${usd} です。`],
    }),
    'sign_in.new_device': ({ ip, device }) => ({
      title: '新しいデバイスからのサインイン',
      lines: [
        `アドレス：${ip}`,
        `ブラウザー：${device}`,
        'お心当たりがない場合は、パスワードを変更し、ほかのセッションを終了してください。',
      ],
    }),
    'credential.changed': ({ change, ip }) => ({
      title: `アカウント：${jaJP.changes[change as CredentialChange]}`,
      lines: [
        `この変更は ${ip} から行われました。`,
        'お心当たりがない場合は、すぐにパスワードを再設定し、管理者に連絡してください。',
      ],
    }),
    test: () => ({ title: 'テストメッセージ', lines: ['この通知先に通知が届きます。'] }),
  },
}
