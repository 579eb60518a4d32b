import DisableIcon from 'virtual:icons/block'
import EnableIcon from 'virtual:icons/check-circle-outline'
import ExportIcon from 'virtual:icons/file-download'
import GroupsIcon from 'virtual:icons/groups'
import DownIcon from 'virtual:icons/keyboard-arrow-down'
import ModelsIcon from 'virtual:icons/list-alt'
import VersionIcon from 'virtual:icons/tag'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../api/index.ts'
import {
  ActionItem,
  ConfirmButton,
  ConfirmItem,
  notify,
  RowMenu,
  useAction,
  useT,
} from '../../../ui/index.ts'
import { exportAddress } from '../transfer/export-address.ts'
import { type BatchCall, type BatchForm, useBatch } from './use-batch.ts'

const BatchForms = lazy(async () => ({ default: (await import('./batch-forms.tsx')).BatchForms }))
const RefusalsDialog = lazy(async () => ({
  default: (await import('./refusals-dialog.tsx')).RefusalsDialog,
}))

type Props = { ids: readonly number[]; clear: () => void }

/** Everything that can be done to the chosen channels at once. */
export const BatchActions = ({ ids, clear }: Props) => {
  const t = useT()
  const { run, refusals, dismiss } = useBatch(clear)
  const [form, setForm] = useState<BatchForm>()
  const setStatus =
    (status: 1 | 2): BatchCall =>
    chosen =>
      api.channels.setStatuses({ ids: chosen, status })
  return (
    <>
      <RowMenu
        label={t('channels.batch.edit')}
        button={t('channels.batch.edit')}
        icon={<DownIcon />}
      >
        <ActionItem icon={<EnableIcon />} onClick={() => void run(ids, setStatus(1))}>
          {t('channels.batch.enable')}
        </ActionItem>
        <ConfirmItem
          icon={<DisableIcon />}
          danger={false}
          title={t('channels.batch.disableTitle', { count: ids.length })}
          text={t('channels.tags.disableText')}
          onConfirm={() => run(ids, setStatus(2))}
        >
          {t('channels.batch.disable')}
        </ConfirmItem>
        <ActionItem icon={<ModelsIcon />} onClick={() => setForm('models')}>
          {t('channels.batch.models')}
        </ActionItem>
        <ActionItem icon={<GroupsIcon />} onClick={() => setForm('groups')}>
          {t('channels.batch.groups')}
        </ActionItem>
        <ActionItem icon={<VersionIcon />} onClick={() => setForm('version')}>
          {t('channels.batch.version')}
        </ActionItem>
        <ActionItem
          icon={<ExportIcon />}
          onClick={() => window.location.assign(exportAddress({ ids }))}
        >
          {t('channels.transfer.exportChosen')}
        </ActionItem>
      </RowMenu>
      <DeleteChosen ids={ids} clear={clear} />
      <Suspense>
        {form && (
          <BatchForms
            form={form}
            count={ids.length}
            onClose={() => setForm(undefined)}
            send={call => run(ids, call)}
          />
        )}
        {refusals && <RefusalsDialog {...refusals} close={dismiss} />}
      </Suspense>
    </>
  )
}

const DeleteChosen = ({ ids, clear }: Props) => {
  const t = useT()
  const remove = useAction(['channels', 'models', 'prices'], api.channels.removeMany)
  const run = async () => {
    const count = await remove({ ids: [...ids] })
    if (count === undefined) return
    notify.success(t('channels.removedMany', { count }))
    clear()
  }
  return (
    <ConfirmButton
      size="small"
      variant="contained"
      title={t('channels.removeChosen', { count: ids.length })}
      text={t('channels.remove.text')}
      confirmLabel={t('common.delete')}
      onConfirm={run}
    >
      {t('common.delete')}
    </ConfirmButton>
  )
}
