import type { CredentialChange } from '../../core/sign-in/emails.ts'
import { failuresIn, type Texts } from './texts.ts'

const failure = failuresIn('原因：')

export const zhHK: Texts = {
  digest: count => `${count} 則通知`,
  open: '開啟控制台',
  changes: {
    password: '密碼已更改',
    email: '電郵已更改',
    username: '用戶名稱已更改',
    'backup-codes': '已產生新的備用碼',
    'second-factor-on': '兩步驗證已開啟',
    'second-factor-off': '兩步驗證已關閉',
    'access-token': '已建立新的存取權杖',
    'passkey-added': '已新增通行金鑰',
    'passkey-removed': '已刪除通行金鑰',
    'account-removed': '帳戶已刪除',
    'identity-added': '已綁定第三方帳戶',
    'identity-removed': '已解除綁定第三方帳戶',
    'telegram-added': '已綁定 Telegram 帳戶',
    'telegram-removed': '已解除綁定 Telegram 帳戶',
  },
  events: {
    'channel.status': ({ status, channel, channel_id, reason }, count) => ({
      title: `渠道 ${channel}（#${channel_id}）已${status === 'enabled' ? '啟用' : '停用'}`,
      lines: [
        ...(reason ? [`原因：${reason}`] : []),
        ...(count > 1 ? [`自上次通知以來，其狀態共變更 ${count} 次。`] : []),
      ],
    }),
    'channel.funds': ({ channel, channel_id, reason }) => ({
      title: `渠道 ${channel}（#${channel_id}）在供應商處的帳戶餘額不足`,
      lines: [`原因：${reason}`, '請求會轉到其他渠道。請在供應商處充值，然後測試該渠道。'],
    }),
    'channel.balance': ({ channel, channel_id, amount, currency, warning, days, below }) => ({
      title: `渠道 ${channel}（#${channel_id}）在供應商處的餘額偏低：${amount} ${currency}`,
      lines: [
        warning === 'days'
          ? `按最近幾天的消耗，餘額不足 ${days} 天使用。`
          : `已低於該渠道的提醒值：${below} ${currency}。`,
        '請在供應商處充值。在餘額恢復或用完之前不會再次通知。',
      ],
    }),
    'channel.models': ({ name, added, removed, models }) => ({
      title: `渠道 ${name} 的供應商更新了模型：新增 ${added} 個，下架 ${removed} 個`,
      lines: [String(models), '請在渠道頁面選擇要採用的變更。'],
    }),
    'channel.ratio': ({ name, group, before, after }) => ({
      title: `渠道 ${name} 的上游倍率已變更：${before} → ${after}`,
      lines: [`上游分組：${group}`, '請對照新的成本檢查價格。'],
    }),
    'order.paid': ({ trade_no, usd, user }) => ({
      title: `訂單 ${trade_no} 已付款`,
      lines: [`已為 ${user} 增值 $${usd}。`],
    }),
    'order.review': ({ trade_no, reason, user }) => ({
      title: `訂單 ${trade_no} 需要覆核`,
      lines: [`${user} 的付款未入帳。原因：${reason}`],
    }),
    'task.failed': ({ model, reason }, count) => ({
      title: count === 1 ? `${model} 的一項任務失敗` : `${count} 項任務失敗`,
      lines: [`最近的原因：${reason}`, '失敗的任務不收費。'],
    }),
    'price.waiting': ({ models, count }) => ({
      title: `${count} 項價格變更等待批准`,
      lines: [`模型：${models}`],
    }),
    'spend.unusual': ({ user, usd, median }) => ({
      title: `${user} 的消費異常`,
      lines: [`今日已消費 $${usd}，近日的中位數為 $${median}。`],
    }),
    'model.below_cost': ({ model, channel, days, loss, revenue, cost }) => ({
      title: `${model} 的售價低於成本`,
      lines: [
        `渠道 ${channel} 最近 ${days} 天的成本為 $${cost}，收入為 $${revenue}，虧損 $${loss}。`,
        '請提高該模型的價格，或更正該渠道的成本表。',
      ],
    }),
    'node.lost': ({ node }) => ({
      title: `節點 ${node} 已失聯`,
      lines: ['該節點未正常關閉，或與資料庫的連線中斷。其請求已結算。'],
    }),
    'backup.failed': failure('備份失敗', '先前的備份不受影響。請檢查備份設定與儲存空間。'),
    'backup.late': ({ hours }) => ({
      title: `已有 ${hours} 小時沒有備份`,
      lines: [
        '備份排程停滯：某個備份沒有結束，或沒有節點能夠執行備份。',
        '先前的備份不受影響。請在系統資訊中檢查任務和備份。',
      ],
    }),
    'job.failed': ({ name }) => ({
      title: `定時任務 ${name} 出現故障`,
      lines: ['該任務已連續失敗兩次，每隔幾分鐘會重試。', '原因顯示在系統資訊的任務列表中。'],
    }),
    'mail.failed': failure(
      '電郵伺服器出現故障',
      '電郵會保留並重新傳送。請檢查設定中的電郵伺服器。',
    ),
    'notifier.failed': failure(
      name => `通知目標 ${name} 出現故障`,
      '訊息會保留並重新傳送。請檢查該目標。',
    ),
    'payment.failed': failure(
      name => `付款閘道 ${name} 出現故障`,
      '付款可能延遲。請檢查閘道的憑證和通知地址。',
    ),
    'price_list.failed': failure('無法更新價格表', '價格保持不變。請檢查價格表的地址。'),
    'bot.failed': failure(
      'Telegram 機械人出現故障',
      '機械人會自動重新啟動。請檢查權杖和網絡連線。',
    ),
    'task_storage.failed': failure(
      '任務結果儲存出現故障',
      '結果稍後會再次複製。請檢查設定中的儲存。',
    ),
    'balance.failed': failure(
      name => `無法讀取渠道 ${name} 的餘額`,
      '請到供應商處檢查渠道的密鑰。',
    ),
    'model_list.failed': failure(
      name => `無法讀取渠道 ${name} 的模型列表`,
      '沒有移除任何模型。請檢查渠道的密鑰和地址。',
    ),
    'balance.low': ({ points, usd }) => ({
      title: points === 0 ? '您的額度已用盡' : '您的額度即將用盡',
      lines: [points === 0 ? '增值前新的請求會被拒絕。' : `您的帳戶只餘 $${usd}（${points} 點）。`],
    }),
    'invoice.ready': ({ month, usd }) => ({
      title: `您 ${month} 的帳單已產生`,
      lines: [`金額為 $${usd}。`],
    }),
    'sign_in.new_device': ({ ip, device }) => ({
      title: '新裝置登入',
      lines: [
        `地址：${ip}`,
        `瀏覽器：${device}`,
        '如果這不是您本人的操作，請更改密碼並登出其他工作階段。',
      ],
    }),
    'credential.changed': ({ change, ip }) => ({
      title: `您的帳戶：${zhHK.changes[change as CredentialChange]}`,
      lines: [`此變更來自 ${ip}。`, '如果這不是您本人的操作，請立即重設密碼並聯絡管理員。'],
    }),
    test: () => ({ title: '測試訊息', lines: ['通知可以送達此目標。'] }),
  },
}
