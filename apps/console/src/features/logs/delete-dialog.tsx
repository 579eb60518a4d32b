import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useId, useState } from 'react'
import { api } from '../../api/index.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { TimeInput } from '../../ui/form/time/input.tsx'
import { Field, formatTime, midnight, notify, useAction, useT } from '../../ui/index.ts'

/** The button repeats the selected time, so that it is confirmed before logs are deleted. */
export const DeleteDialog = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const titleId = useId()
  const [before, setBefore] = useState<number | undefined>(() => midnight(-30))
  const remove = useAction('logs', api.logs.remove)
  const isPast = before !== undefined && before < Date.now() / 1000

  const run = async () => {
    if (before === undefined) return
    const count = await remove({ target_timestamp: before })
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
            {ids => <TimeInput {...ids} value={before} set={setBefore} />}
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
          {t('logs.delete.action', { at: isPast ? formatTime(before).slice(0, 16) : '–' })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
