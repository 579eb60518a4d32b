import BalanceIcon from 'virtual:icons/account-balance-wallet'
import CopyIcon from 'virtual:icons/content-copy'
import DeleteIcon from 'virtual:icons/delete'
import HistoryIcon from 'virtual:icons/history'
import KeysIcon from 'virtual:icons/key'
import SiteIcon from 'virtual:icons/open-in-new'
import TagIcon from 'virtual:icons/sell'
import type { Channel } from '@hub/contract'
import { lazy, type ReactNode, Suspense } from 'react'
import { api } from '../../api/index.ts'
import {
  ActionItem,
  ConfirmItem,
  formatMoney,
  notify,
  RowMenu,
  useAction,
  useDialog,
  useT,
} from '../../ui/index.ts'
import { useProvider } from './queries.ts'

const KeysDialog = lazy(async () => ({
  default: (await import('./keys/keys-dialog.tsx')).KeysDialog,
}))
const HistoryDialog = lazy(async () => ({
  default: (await import('./history/history-dialog.tsx')).HistoryDialog,
}))

type Props = {
  channel: Channel
  /** Items above the others. */
  children?: ReactNode
}

export const RowActions = ({ channel, children }: Props) => {
  const t = useT()
  const { id, name } = channel
  const provider = useProvider(channel.type)
  const site = provider?.links.site
  const balance = useAction('channels', api.channels.updateBalance, {
    onSuccess: response =>
      notify.info(
        t('channels.balanceUpdated', {
          name,
          amount: formatMoney(response.balance, response.currency),
        }),
      ),
  })
  const leave = useAction('channels', api.channels.leaveTag, {
    successKey: 'channels.tags.left',
  })
  const copy = useAction('channels', api.channels.copy, { successKey: 'channels.copied' })
  const remove = useAction(['channels', 'models', 'prices'], api.channels.remove, {
    successKey: 'channels.removed',
  })
  const keys = useDialog('keys')
  const history = useDialog('history')
  return (
    <>
      <RowMenu label={name}>
        {children}
        <ActionItem icon={<KeysIcon />} onClick={() => keys.open(id)}>
          {t('channels.keys.manage')}
        </ActionItem>
        <ActionItem icon={<HistoryIcon />} onClick={() => history.open(id)}>
          {t('channels.history.open')}
        </ActionItem>
        <ActionItem icon={<CopyIcon />} onClick={() => void copy({ id })}>
          {t('channels.duplicate')}
        </ActionItem>
        {provider?.can_tell_balance && (
          <ActionItem icon={<BalanceIcon />} onClick={() => void balance({ id })}>
            {t('channels.updateBalance')}
          </ActionItem>
        )}
        {channel.tag && (
          <ActionItem icon={<TagIcon />} onClick={() => void leave({ id })}>
            {t('channels.tags.leave')}
          </ActionItem>
        )}
        {site && (
          <ActionItem
            icon={<SiteIcon />}
            onClick={() => window.open(site, '_blank', 'noopener,noreferrer')}
          >
            {t('channels.links.site')}
          </ActionItem>
        )}
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('channels.remove.title', { name })}
          text={t('channels.remove.text')}
          onConfirm={() => remove({ id })}
        >
          {t('common.delete')}
        </ConfirmItem>
      </RowMenu>
      <Suspense>
        {keys.id === String(id) && <KeysDialog channel={channel} close={keys.close} />}
        {history.id === String(id) && <HistoryDialog channel={channel} close={history.close} />}
      </Suspense>
    </>
  )
}
