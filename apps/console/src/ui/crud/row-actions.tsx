import DeleteIcon from 'virtual:icons/delete'
import EditIcon from 'virtual:icons/edit'
import type { FaultCode } from '@hub/contract'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import { isApiError } from '../../api/error.ts'
import { errorText } from '../../api/error-text.ts'
import { useT } from '../../locales/use-t.ts'
import { ConfirmItem } from '../feedback/confirm.tsx'
import { ActionItem, DisabledReason, RowMenu } from '../feedback/row-menu.tsx'
import { notify } from '../feedback/toast.tsx'
import { useAction } from '../use-action.ts'
import type { CrudCalls, CrudRow } from './calls.ts'

export type RowActionsOptions<Row> = {
  /** Buttons before the row menu. */
  rowButtons?: (row: Row) => ReactNode
  /** Names the row for screen readers, when its name is not unique. */
  rowLabel?: (row: Row) => string
  isEditable?: (row: Row) => boolean
  /** Other resources whose data a change of a row changes. */
  alsoChanges?: readonly string[]
  remove?: {
    /** The locale key of the sentence in the confirmation, when it is not `<resource>.remove.text`. */
    textKey?: (row: Row) => string
    /** The locale key of the reason why this row cannot be deleted. */
    disabledKey?: (row: Row) => string | undefined
    /** Locale keys for refusals of the server; `name` is available in the text. */
    errorKeys?: Partial<Record<FaultCode, string>>
  }
}

type Props<Row> = {
  calls: CrudCalls
  options: RowActionsOptions<Row>
  row: Row
  edit: () => void
}

/** The buttons of a row and its menu with Edit and Delete. */
export const RowActions = <Row extends CrudRow>({ calls, options, row, edit }: Props<Row>) => {
  const t = useT()
  const menu = (
    <RowMenu label={options.rowLabel?.(row) ?? row.name}>
      {(options.isEditable?.(row) ?? true) && (
        <ActionItem icon={<EditIcon />} onClick={edit}>
          {t('common.edit')}
        </ActionItem>
      )}
      <RemoveItem {...{ calls, options, row }} />
    </RowMenu>
  )
  if (!options.rowButtons) return menu
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25 }}>
      {options.rowButtons(row)}
      {menu}
    </Box>
  )
}

const RemoveItem = <Row extends CrudRow>({ calls, options, row }: Omit<Props<Row>, 'edit'>) => {
  const t = useT()
  const { resource } = calls.list
  const { id, name } = row
  const { textKey, disabledKey, errorKeys } = options.remove ?? {}
  const remove = useAction([resource, ...(options.alsoChanges ?? [])], calls.remove, {
    successKey: `${resource}.removed`,
  })
  const removeRow = () =>
    remove.attempt({ id }).catch((error: unknown) => {
      const key = isApiError(error) && error.code && errorKeys?.[error.code]
      if (key) return notify.error(t(key, { name }))
      const { kind, text } = errorText(t, error)
      notify[kind](text)
    })
  const reasonKey = disabledKey?.(row)
  if (reasonKey)
    return (
      <ActionItem icon={<DeleteIcon />} disabled onClick={() => undefined}>
        <DisabledReason reason={t(reasonKey)}>{t('common.delete')}</DisabledReason>
      </ActionItem>
    )
  return (
    <ConfirmItem
      icon={<DeleteIcon />}
      title={t(`${resource}.remove.title`, { name })}
      text={t(textKey?.(row) ?? `${resource}.remove.text`)}
      onConfirm={removeRow}
    >
      {t('common.delete')}
    </ConfirmItem>
  )
}
