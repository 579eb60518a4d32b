import type { Redemption } from '@hub/contract'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { ActionItem, ConfirmItem, CopyButton, RowMenu, useT } from '../../ui/index.ts'

export const RowActions = ({ code, edit }: { code: Redemption; edit: () => void }) => {
  const t = useT()
  const { id, name, key, status } = code
  const remove = useAction('redemptions', api.redemptions.remove, { successKey: 'redemptions.removed' })
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25 }}>
      <CopyButton
        text={key}
        what={t('redemptions.fields.key')}
        label={t('redemptions.copyCode', { name, id: String(id) })}
      />
      <RowMenu label={`${name} ${id}`}>
        {status !== 3 && (
          <ActionItem icon={<EditIcon />} onClick={edit}>
            {t('common.edit')}
          </ActionItem>
        )}
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('redemptions.remove.title', { name })}
          text={t(status === 3 ? 'redemptions.remove.used' : 'redemptions.remove.text')}
          onConfirm={() => remove({ id })}
        >
          {t('common.delete')}
        </ConfirmItem>
      </RowMenu>
    </Box>
  )
}
