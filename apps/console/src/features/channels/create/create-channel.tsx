import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useId } from 'react'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { DialogCloseButton, useT } from '../../../ui/index.ts'
import { CreateSteps } from './create-steps.tsx'

type Props = {
  /** A stored channel whose creation continues. */
  channelId?: number
  onClose: () => void
}

/** The creation in a dialog. Closing it keeps the draft. */
export const CreateChannel = ({ channelId, onClose }: Props) => {
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
      <DialogCloseButton onClick={onClose} />
      <DialogContent dividers sx={{ pb: 0 }}>
        <CreateSteps
          heading="h3"
          onFinish={onClose}
          {...(channelId !== undefined && { channelId })}
        />
      </DialogContent>
    </Dialog>
  )
}
