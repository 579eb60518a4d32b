import type { CredentialChange } from '../../core/sign-in/emails.ts'
import { failuresIn, type Texts } from './texts.ts'

const failure = failuresIn('原因：')

export const zhCN: Texts = {
  digest: count => `${count} 条通知`,
  open: '打开控制台',
  changes: {
    password: '密码已更改',
    email: '邮箱已更改',
    username: '用户名已更改',
    'backup-codes': '已生成新的备用码',
    'second-factor-on': '两步验证已开启',
    'second-factor-off': '两步验证已关闭',
    'access-token': '已创建新的访问令牌',
    'passkey-added': '已添加通行密钥',
    'passkey-removed': '已删除通行密钥',
    'account-removed': '账户已删除',
    'identity-added': '已绑定第三方账户',
    'identity-removed': '已解除绑定第三方账户',
    'telegram-added': '已绑定 Telegram 账户',
    'telegram-removed': '已解除绑定 Telegram 账户',
  },
  events: {
    'channel.status': ({ status, channel, channel_id, reason }, count) => ({
      title: `渠道 ${channel}（#${channel_id}）已${status === 'enabled' ? '启用' : '禁用'}`,
      lines: [
        ...(reason ? [`原因：${reason}`] : []),
        ...(count > 1 ? [`自上次通知以来，其状态共变化 ${count} 次。`] : []),
      ],
    }),
    'channel.funds': ({ channel, channel_id, reason }) => ({
      title: `渠道 ${channel}（#${channel_id}）在供应商处的账户余额不足`,
      lines: [`原因：${reason}`, '请求会转到其他渠道。请在供应商处充值，然后测试该渠道。'],
    }),
    'channel.balance': ({ channel, channel_id, amount, currency, warning, days, below }) => ({
      title: `渠道 ${channel}（#${channel_id}）在供应商处的余额偏低：${amount} ${currency}`,
      lines: [
        warning === 'days'
          ? `按最近几天的消耗，余额不足 ${days} 天使用。`
          : `已低于该渠道的提醒值：${below} ${currency}。`,
        '请在供应商处充值。在余额恢复或用完之前不会再次通知。',
      ],
    }),
    'channel.models': ({ name, added, removed, models }) => ({
      title: `渠道 ${name} 的供应商更新了模型：新增 ${added} 个，下架 ${removed} 个`,
      lines: [String(models), '请在渠道页面选择要采用的变更。'],
    }),
    'channel.ratio': ({ name, group, before, after }) => ({
      title: `渠道 ${name} 的上游倍率已变更：${before} → ${after}`,
      lines: [`上游分组：${group}`, '请对照新的成本检查价格。'],
    }),
    'order.paid': ({ trade_no, usd, user }) => ({
      title: `订单 ${trade_no} 已支付`,
      lines: [`已为 ${user} 充值 $${usd}。`],
    }),
    'order.review': ({ trade_no, reason, user }) => ({
      title: `订单 ${trade_no} 需要核查`,
      lines: [`${user} 的付款未入账。原因：${reason}`],
    }),
    'task.failed': ({ model, reason }, count) => ({
      title: count === 1 ? `${model} 的一个任务失败` : `${count} 个任务失败`,
      lines: [`最近的原因：${reason}`, '失败的任务不收费。'],
    }),
    'price.waiting': ({ models, count }) => ({
      title: `${count} 项价格变更等待批准`,
      lines: [`模型：${models}`],
    }),
    'spend.unusual': ({ user, usd, median }) => ({
      title: `${user} 的消费异常`,
      lines: [`今日已消费 $${usd}，近日的中位数为 $${median}。`],
    }),
    'model.below_cost': ({ model, channel, days, loss, revenue, cost }) => ({
      title: `${model} 的售价低于成本`,
      lines: [
        `渠道 ${channel} 最近 ${days} 天的成本为 $${cost}，收入为 $${revenue}，亏损 $${loss}。`,
        '请提高该模型的价格，或更正该渠道的成本表。',
      ],
    }),
    'node.lost': ({ node }) => ({
      title: `节点 ${node} 已失联`,
      lines: ['该节点未正常关闭，或与数据库的连接中断。其请求已结算。'],
    }),
    'backup.failed': failure('备份失败', '之前的备份不受影响。请检查备份设置与存储。'),
    'backup.late': ({ hours }) => ({
      title: `已有 ${hours} 小时没有备份`,
      lines: [
        '备份计划停滞：某个备份没有结束，或没有节点能够执行备份。',
        '之前的备份不受影响。请在系统信息中检查任务和备份。',
      ],
    }),
    'job.failed': ({ name }) => ({
      title: `定时任务 ${name} 出现故障`,
      lines: ['该任务已连续失败两次，每隔几分钟会重试。', '原因显示在系统信息的任务列表中。'],
    }),
    'mail.failed': failure(
      '邮件服务器出现故障',
      '邮件会保留并重新发送。请检查设置中的邮件服务器。',
    ),
    'notifier.failed': failure(
      name => `通知目标 ${name} 出现故障`,
      '消息会保留并重新发送。请检查该目标。',
    ),
    'payment.failed': failure(
      name => `支付网关 ${name} 出现故障`,
      '付款可能延迟。请检查网关的凭据和通知地址。',
    ),
    'price_list.failed': failure('无法更新价格表', '价格保持不变。请检查价格表的地址。'),
    'bot.failed': failure(
      'Telegram 机器人出现故障',
      '机器人会自动重新启动。请检查令牌和网络连接。',
    ),
    'task_storage.failed': failure(
      '任务结果存储出现故障',
      '结果稍后会再次复制。请检查设置中的存储。',
    ),
    'balance.failed': failure(
      name => `无法读取渠道 ${name} 的余额`,
      '请到供应商处检查渠道的密钥。',
    ),
    'model_list.failed': failure(
      name => `无法读取渠道 ${name} 的模型列表`,
      '没有移除任何模型。请检查渠道的密钥和地址。',
    ),
    'balance.low': ({ points, usd }) => ({
      title: points === 0 ? '您的额度已用尽' : '您的额度即将用尽',
      lines: [points === 0 ? '充值前新的请求会被拒绝。' : `您的账户仅剩 $${usd}（${points} 点）。`],
    }),
    'invoice.ready': ({ month, usd }) => ({
      title: `您 ${month} 的账单已生成`,
      lines: [`金额为 $${usd}。`],
    }),
    'sign_in.new_device': ({ ip, device }) => ({
      title: '新设备登录',
      lines: [
        `地址：${ip}`,
        `浏览器：${device}`,
        '如果这不是您本人的操作，请更改密码并退出其他会话。',
      ],
    }),
    'credential.changed': ({ change, ip }) => ({
      title: `您的账户：${zhCN.changes[change as CredentialChange]}`,
      lines: [`此变更来自 ${ip}。`, '如果这不是您本人的操作，请立即重置密码并联系管理员。'],
    }),
    test: () => ({ title: '测试消息', lines: ['通知可以送达此目标。'] }),
  },
}
