import type { CredentialChange } from '../../core/sign-in/emails.ts'
import { failuresIn, type Texts } from './texts.ts'

const failure = failuresIn('Reason: ')

export const enUS: Texts = {
  digest: count => (count === 1 ? 'One notification' : `${count} notifications`),
  open: 'Open the console',
  changes: {
    password: 'password changed',
    email: 'e-mail address changed',
    username: 'username changed',
    'backup-codes': 'new backup codes made',
    'second-factor-on': 'two-step verification turned on',
    'second-factor-off': 'two-step verification turned off',
    'access-token': 'new access token created',
    'passkey-added': 'passkey added',
    'passkey-removed': 'passkey removed',
    'account-removed': 'account deleted',
    'identity-added': 'account for signing in bound',
    'identity-removed': 'account for signing in removed',
    'telegram-added': 'Telegram account bound',
    'telegram-removed': 'Telegram account removed',
  },
  events: {
    'channel.status': ({ status, channel, channel_id, reason }, count) => ({
      title: `Channel ${channel} (#${channel_id}) was ${status === 'enabled' ? 'enabled' : 'disabled'}`,
      lines: [
        ...(reason ? [`Reason: ${reason}`] : []),
        ...(count > 1 ? [`Its state changed ${count} times since the last message.`] : []),
      ],
    }),
    'channel.funds': ({ channel, channel_id, reason }) => ({
      title: `The account of channel ${channel} (#${channel_id}) at its provider is empty`,
      lines: [
        `Reason: ${reason}`,
        'Calls go to other channels. Pay into the account at the provider; then test the channel.',
      ],
    }),
    'channel.balance': ({ channel, channel_id, amount, currency, warning, days, below }) => ({
      title: `The balance of channel ${channel} (#${channel_id}) at its provider is low: ${amount} ${currency}`,
      lines: [
        warning === 'days'
          ? `At the consumption of the last days it lasts for less than ${days} days.`
          : `It is below the limit of the channel: ${below} ${currency}.`,
        'Pay into the account at the provider. There is no further message until the balance has recovered or is used up.',
      ],
    }),
    'channel.models': ({ name, added, removed, models }) => ({
      title: `The provider of channel ${name} changed its models: ${added} new, ${removed} gone`,
      lines: [String(models), 'Decide on the page of the channel which ones to take over.'],
    }),
    'channel.ratio': ({ name, group, before, after }) => ({
      title: `The upstream of channel ${name} changed its multiplier: ${before} → ${after}`,
      lines: [`Group at the upstream: ${group}`, 'Compare the prices with the new cost.'],
    }),
    'order.paid': ({ trade_no, usd, user }) => ({
      title: `Order ${trade_no} was paid`,
      lines: [`$${usd} were credited to ${user}.`],
    }),
    'order.review': ({ trade_no, reason, user }) => ({
      title: `Order ${trade_no} needs a review`,
      lines: [`The payment of ${user} was not credited. Reason: ${reason}`],
    }),
    'task.failed': ({ model, reason }, count) => ({
      title: count === 1 ? `A task of ${model} failed` : `${count} tasks failed`,
      lines: [`Last reason: ${reason}`, 'Failed tasks are not charged.'],
    }),
    'price.waiting': ({ models, count }) => ({
      title:
        count === 1
          ? 'A price change waits for approval'
          : `${count} price changes wait for approval`,
      lines: [`Models: ${models}`],
    }),
    'spend.unusual': ({ user, usd, median }) => ({
      title: `Unusual spend of ${user}`,
      lines: [`$${usd} today. The median of the last days is $${median}.`],
    }),
    'model.below_cost': ({ model, channel, days, loss, revenue, cost }) => ({
      title: `${model} is sold below its cost`,
      lines: [
        `At the channel ${channel} the last ${days} days cost $${cost} and brought $${revenue}: a loss of $${loss}.`,
        'Raise the price of the model, or correct the cost list of the channel.',
      ],
    }),
    'node.lost': ({ node }) => ({
      title: `Node ${node} was lost`,
      lines: [
        'It ended without a shutdown, or its database connection broke. Its calls are settled.',
      ],
    }),
    'backup.failed': failure(
      'A backup failed',
      'Earlier backups are not affected. Check the settings and the storage of backups.',
    ),
    'backup.late': ({ hours }) => ({
      title: `No backup for ${hours} hours`,
      lines: [
        'The schedule stands still: a backup does not end, or no node could make one.',
        'Earlier backups are not affected. Check the jobs and backups in the system information.',
      ],
    }),
    'job.failed': ({ name }) => ({
      title: `The job ${name} fails`,
      lines: [
        'It failed twice in a row and is tried again every few minutes.',
        'Its reason stands among the jobs in the system information.',
      ],
    }),
    'mail.failed': failure(
      'The mail server fails',
      'E-mails wait and are sent again. Check the mail server in the settings.',
    ),
    'notifier.failed': failure(
      name => `Notification target ${name} fails`,
      'Messages wait and are sent again. Check the target.',
    ),
    'payment.failed': failure(
      name => `Payment gateway ${name} fails`,
      'Payments may be delayed. Check the credentials and the notify address of the gateway.',
    ),
    'price_list.failed': failure(
      'The price list cannot be updated',
      'Prices stay as they are. Check the address of the list.',
    ),
    'bot.failed': failure(
      'The Telegram bot fails',
      'The bot is started again by itself. Check its token and the connection.',
    ),
    'task_storage.failed': failure(
      'The storage of task results fails',
      'Results are copied again later. Check the storage in the settings.',
    ),
    'balance.failed': failure(
      name => `The balance of channel ${name} cannot be read`,
      'Check the key of the channel at the vendor.',
    ),
    'model_list.failed': failure(
      name => `The model list of channel ${name} cannot be read`,
      'No model was removed. Check the key and the address of the channel.',
    ),
    'balance.low': ({ points, usd }) => ({
      title: points === 0 ? 'Your quota is used up' : 'Your quota is running low',
      lines: [
        points === 0
          ? 'New requests are refused until you top up.'
          : `Your account has $${usd} left (${points} points).`,
      ],
    }),
    'invoice.ready': ({ month, usd }) => ({
      title: `Your invoice for ${month} is ready`,
      lines: [`It amounts to $${usd}.`],
    }),
    'sign_in.new_device': ({ ip, device }) => ({
      title: 'Sign-in from a new device',
      lines: [
        `Address: ${ip}`,
        `Browser: ${device}`,
        'If this was not you, change your password and end the other sessions.',
      ],
    }),
    'credential.changed': ({ change, ip }) => ({
      title: `Your account: ${enUS.changes[change as CredentialChange]}`,
      lines: [
        `The change came from ${ip}.`,
        'If this was not you, reset your password now and tell the administrator.',
      ],
    }),
    test: () => ({
      title: 'Test message',
      lines: ['Notifications reach this target.'],
    }),
  },
}
