import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { useT } from '../../../ui/index.ts'
import type { Refusals } from './use-batch.ts'

/** The channels that refused a change, each with its reason, and a button that leaves them out. */
export const RefusalsDialog = ({
  refused,
  others,
  retry,
  close,
}: Refusals & { close: () => void }) => {
  const t = useT()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await retry()
    setBusy(false)
  }
  return (
    <Dialog open onClose={close} fullWidth maxWidth="sm" aria-labelledby="refusals-title">
      <DialogTitle id="refusals-title">
        {t('channels.batch.refusedTitle', { count: refused.length })}
      </DialogTitle>
      <DialogContent dividers tabIndex={0}>
        <Typography variant="body2" sx={{ color: 'text.secondary', mb: 2 }}>
          {t('channels.batch.refusedText')}
        </Typography>
        <Stack component="ul" spacing={1.5} sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {refused.map(({ id, name, reason }) => (
            <li key={id}>
              <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere' }}>
                {name ? `${name} (${id})` : String(id)}
              </Typography>
              <Typography variant="body2" sx={{ color: 'text.secondary' }}>
                {t(`channels.batch.reasons.${reason}`)}
              </Typography>
            </li>
          ))}
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, py: 1.5 }}>
        <Button color="inherit" onClick={close}>
          {t('common.close')}
        </Button>
        {others.length > 0 && (
          <Button variant="contained" loading={isBusy} onClick={() => void run()}>
            {t('channels.batch.others', { count: others.length })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
