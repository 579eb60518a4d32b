import {
  NewTelegramMenu,
  type TelegramMenu,
  TelegramMenuChange,
  type TelegramParseMode,
} from '@hub/contract'
import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { api } from '../../api/index.ts'
import { type FieldOverride, FormDialog, mono, useAction, useT } from '../../ui/index.ts'
import { MarkupPreview } from './markup-preview.tsx'

const fieldOverrides: Record<string, FieldOverride> = {
  id: { hidden: true },
  command: { placeholder: 'price' },
  parse_mode: {
    options: [
      { value: 'MarkdownV2', label: 'MarkdownV2' },
      { value: 'Markdown', label: 'Markdown' },
      { value: 'html', label: 'HTML' },
    ],
  },
  reply_message: {
    render: ({ id, describedBy, value, set, error, values }) => (
      <Box>
        <OutlinedInput
          id={id}
          fullWidth
          multiline
          minRows={5}
          maxRows={16}
          error={Boolean(error)}
          value={String(value ?? '')}
          inputProps={{ 'aria-describedby': describedBy }}
          onChange={event => set(event.target.value)}
          sx={{ fontFamily: mono, fontSize: 13 }}
        />
        <MarkupPreview mode={values.parse_mode as TelegramParseMode} source={String(value ?? '')} />
      </Box>
    ),
  },
}

export const CreateMenu = () => {
  const t = useT()
  const create = useAction('telegram', api.telegram.create, { successKey: 'telegram.created' })
  return (
    <FormDialog
      resource="telegram"
      address="create"
      title={t('telegram.create')}
      submitLabel={t('telegram.create')}
      schema={NewTelegramMenu}
      submit={create}
      fieldOverrides={fieldOverrides}
    />
  )
}

export const EditMenu = ({ menu, onClose }: { menu: TelegramMenu; onClose: () => void }) => {
  const t = useT()
  const update = useAction('telegram', api.telegram.update, { successKey: 'telegram.saved' })
  return (
    <FormDialog
      open
      {...{ onClose, fieldOverrides }}
      resource="telegram"
      title={t('telegram.edit', { name: menu.command })}
      submitLabel={t('telegram.save')}
      schema={TelegramMenuChange}
      initialValues={menu}
      submit={update}
    />
  )
}
