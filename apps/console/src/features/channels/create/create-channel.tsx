import CloseIcon from '@mui/icons-material/CloseOutlined'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId } from 'react'
import { useT } from '../../../ui/index.ts'
import { CreateSteps } from './create-steps.tsx'

/** The creation in a dialog. Closing it keeps the draft. */
export const CreateChannel = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  return (
    <Dialog
      open
      fullWidth
      fullScreen={isPhone}
      maxWidth="md"
      aria-labelledby={id}
      slotProps={{ paper: { sx: isPhone ? { border: 0 } : {} } }}
    >
      <DialogTitle id={id} sx={{ pr: 7 }}>
        {t('channels.create')}
      </DialogTitle>
      <IconButton
        aria-label={t('common.close')}
        onClick={onClose}
        sx={{ position: 'absolute', right: 12, top: 12 }}
      >
        <CloseIcon fontSize="small" />
      </IconButton>
      <DialogContent dividers sx={{ pb: 0 }}>
        <CreateSteps heading="h3" onFinish={onClose} />
      </DialogContent>
    </Dialog>
  )
}
