import BalanceIcon from '@mui/icons-material/AccountBalanceWalletOutlined'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import DownIcon from '@mui/icons-material/KeyboardArrowDownOutlined'
import TagIcon from '@mui/icons-material/SellOutlined'
import TestIcon from '@mui/icons-material/SpeedOutlined'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../api/index.ts'
import { ActionItem, ConfirmItem, notify, RowMenu, useAction, useT } from '../../ui/index.ts'

const TagsDialog = lazy(async () => ({
  default: (await import('./tags/tags-dialog.tsx')).TagsDialog,
}))

/** Actions that apply to all channels. */
export const MaintenanceMenu = () => {
  const t = useT()
  const [isTagging, setTagging] = useState(false)
  const test = useAction('channels', api.channels.testAll)
  const balances = useAction('channels', api.channels.updateBalances)
  const remove = useAction(['channels', 'models', 'prices'], api.channels.removeDisabled)
  const removeAll = async () => {
    const count = await remove({})
    if (count !== undefined) notify.success(t('channels.removedMany', { count }))
  }
  return (
    <>
      <RowMenu label={t('channels.title')} button={t('channels.tools')} icon={<DownIcon />}>
        <ActionItem icon={<TestIcon />} onClick={() => void test({})}>
          {t('channels.testAll')}
        </ActionItem>
        <ActionItem icon={<BalanceIcon />} onClick={() => void balances({})}>
          {t('channels.updateBalances')}
        </ActionItem>
        <ActionItem icon={<TagIcon />} onClick={() => setTagging(true)}>
          {t('channels.tags.open')}
        </ActionItem>
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('channels.removeDisabled.title')}
          text={t('channels.removeDisabled.text')}
          onConfirm={removeAll}
        >
          {t('channels.removeDisabled.action')}
        </ConfirmItem>
      </RowMenu>
      <Suspense>{isTagging && <TagsDialog close={() => setTagging(false)} />}</Suspense>
    </>
  )
}
