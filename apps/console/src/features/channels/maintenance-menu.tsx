import BalanceIcon from 'virtual:icons/account-balance-wallet'
import DeleteIcon from 'virtual:icons/delete'
import ExportIcon from 'virtual:icons/file-download'
import DownIcon from 'virtual:icons/keyboard-arrow-down'
import TagIcon from 'virtual:icons/sell'
import TestIcon from 'virtual:icons/speed'
import ImportIcon from 'virtual:icons/upload-file'
import { lazy, Suspense } from 'react'
import { api } from '../../api/index.ts'
import {
  ActionItem,
  ConfirmItem,
  notify,
  RowMenu,
  useAction,
  useAddress,
  useDialog,
  useT,
} from '../../ui/index.ts'
import { exportAddress } from './transfer/export-address.ts'

const TagsDialog = lazy(async () => ({
  default: (await import('./tags/tags-dialog.tsx')).TagsDialog,
}))

const ImportDialog = lazy(async () => ({
  default: (await import('./transfer/import-dialog.tsx')).ImportDialog,
}))

/** The address of the file of all channels of the current filters, which the list keeps in its own address. */
const useExportAddress = (): string => {
  const [params] = useAddress()
  const filters = exportedFilters.map(name => [name, params.get(name) ?? ''])
  return exportAddress({ filters: Object.fromEntries(filters) })
}

const exportedFilters = ['name', 'models', 'type', 'status', 'group', 'tag', 'test_model', 'other']

/** Actions that apply to all channels. */
export const MaintenanceMenu = () => {
  const t = useT()
  const tags = useDialog('tags')
  const importing = useDialog('import')
  const exportTo = useExportAddress()
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
        <ActionItem icon={<TagIcon />} onClick={() => tags.open()}>
          {t('channels.tags.open')}
        </ActionItem>
        <ActionItem icon={<ExportIcon />} onClick={() => window.location.assign(exportTo)}>
          {t('channels.transfer.export')}
        </ActionItem>
        <ActionItem icon={<ImportIcon />} onClick={() => importing.open()}>
          {t('channels.transfer.import')}
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
      <Suspense>
        {tags.isOpen && <TagsDialog close={tags.close} />}
        {importing.isOpen && <ImportDialog close={importing.close} />}
      </Suspense>
    </>
  )
}
