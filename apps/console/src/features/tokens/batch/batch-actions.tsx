import DisableIcon from 'virtual:icons/block'
import EnableIcon from 'virtual:icons/check-circle-outline'
import ExpiryIcon from 'virtual:icons/event'
import GroupIcon from 'virtual:icons/groups'
import DownIcon from 'virtual:icons/keyboard-arrow-down'
import LimitIcon from 'virtual:icons/speed'
import type { TokensPatch } from '@hub/contract'
import { useState } from 'react'
import type { z } from 'zod'
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
import { BatchForm, type BatchFormKind } from './batch-form.tsx'

type Props = { ids: readonly number[]; clear: () => void }
type Change = Omit<z.input<typeof TokensPatch>, 'ids'>

/** As many tokens as the server changes at once. */
const idsMax = 100

/** Everything that can be done to the chosen tokens at once. The server changes all of them or none. */
export const BatchActions = ({ ids, clear }: Props) => {
  const t = useT()
  const [form, setForm] = useState<BatchFormKind>()
  const update = useAction('tokens', api.tokens.updateMany)
  const remove = useAction('tokens', api.tokens.removeMany)
  const finish = (key: string, value: number | undefined) => {
    if (value === undefined) return
    notify.success(t(key, { value }))
    clear()
  }
  const change = async (values: Change) =>
    finish('tokens.batch.changed', await update({ ids: [...ids], ...values }))
  const submit = async (values: Change) =>
    finish('tokens.batch.changed', await update.attempt({ ids: [...ids], ...values }))
  const value = ids.length
  if (value > idsMax) return <span>{t('tokens.batch.tooMany', { max: idsMax })}</span>
  return (
    <>
      <RowMenu label={t('common.edit')} button={t('common.edit')} icon={<DownIcon />}>
        <ActionItem icon={<EnableIcon />} onClick={() => void change({ status: 1 })}>
          {t('tokens.batch.enable')}
        </ActionItem>
        <ConfirmItem
          icon={<DisableIcon />}
          danger={false}
          title={t('tokens.batch.disableTitle', { value })}
          text={t('tokens.batch.disableText')}
          onConfirm={() => change({ status: 2 })}
        >
          {t('tokens.batch.disable')}
        </ConfirmItem>
        <ActionItem icon={<ExpiryIcon />} onClick={() => setForm('expiry')}>
          {t('tokens.batch.expiry')}
        </ActionItem>
        <ActionItem icon={<GroupIcon />} onClick={() => setForm('group')}>
          {t('tokens.batch.group')}
        </ActionItem>
        <ActionItem icon={<LimitIcon />} onClick={() => setForm('limit')}>
          {t('tokens.batch.limit')}
        </ActionItem>
      </RowMenu>
      <ConfirmButton
        size="small"
        variant="contained"
        title={t('tokens.batch.removeTitle', { value })}
        text={t('tokens.remove.text')}
        confirmLabel={t('common.delete')}
        onConfirm={async () => finish('tokens.batch.removed', await remove({ ids: [...ids] }))}
      >
        {t('common.delete')}
      </ConfirmButton>
      {form && (
        <BatchForm form={form} count={value} submit={submit} onClose={() => setForm(undefined)} />
      )}
    </>
  )
}
