import type { Token } from '@hub/contract'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import EditIcon from '@mui/icons-material/EditOutlined'
import Box from '@mui/material/Box'
import { api } from '../../api/index.ts'
import { useAction } from '../../ui/index.ts'
import { ActionItem, ConfirmItem, CopyButton, RowMenu, useT } from '../../ui/index.ts'
import { ChatMenu } from './chat-menu.tsx'

export const RowActions = ({ token, edit }: { token: Token; edit: () => void }) => {
  const t = useT()
  const { id, name } = token
  const reveal = useAction([], api.tokens.reveal)
  const remove = useAction('tokens', api.tokens.remove, { successKey: 'tokens.removed' })
  return (
    <Box sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.25 }}>
      <CopyButton
        label={t('tokens.copyKeyOf', { name })}
        what={t('tokens.fields.key')}
        text={() => reveal({ id }).then(reply => reply?.key)}
      />
      <ChatMenu token={token} />
      <RowMenu label={name}>
        <ActionItem icon={<EditIcon />} onClick={edit}>
          {t('common.edit')}
        </ActionItem>
        <ConfirmItem
          icon={<DeleteIcon />}
          title={t('tokens.remove.title', { name })}
          text={t('tokens.remove.text')}
          onConfirm={() => remove({ id })}
        >
          {t('common.delete')}
        </ConfirmItem>
      </RowMenu>
    </Box>
  )
}
