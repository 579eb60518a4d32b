import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import dayjs from 'dayjs'
import { useId, useState } from 'react'
import { api } from '../../api/index.ts'
import { Field, notify, useAction, useT } from '../../ui/index.ts'

const format = 'YYYY-MM-DDTHH:mm'

/** The button repeats the selected time, so that it is confirmed before logs are deleted. */
export const DeleteDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const titleId = useId()
  const [text, setText] = useState(() => dayjs().subtract(30, 'day').startOf('day').format(format))
  const remove = useAction('logs', api.logs.remove)
  const before = dayjs(text)
  const isPast = before.isValid() && before.isBefore(dayjs())

  const run = async () => {
    const count = await remove({ target_timestamp: before.unix() })
    if (count === undefined) return
    notify.success(t('logs.delete.done', { count }))
    onClose()
  }

  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('logs.delete.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={2}>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('logs.delete.text')}
          </Typography>
          <Field
            label={t('logs.delete.before')}
            error={isPast ? undefined : t('logs.delete.future')}
          >
            {({ id, describedBy, invalid }) => (
              <OutlinedInput
                id={id}
                fullWidth
                type="datetime-local"
                value={text}
                error={invalid}
                inputProps={{ 'aria-describedby': describedBy, max: dayjs().format(format) }}
                onChange={event => setText(event.target.value)}
              />
            )}
          </Field>
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', rowGap: 1 }}>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          variant="contained"
          color="error"
          disabled={!isPast}
          loading={remove.isPending}
          onClick={() => void run()}
          sx={{ whiteSpace: 'normal' }}
        >
          {t('logs.delete.action', { at: isPast ? before.format('YYYY-MM-DD HH:mm') : '–' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
