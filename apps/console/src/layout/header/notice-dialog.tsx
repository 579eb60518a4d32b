import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { DialogCloseButton, EmptyState, Markdown, useT } from '../../ui'
import { Dialog } from '../../ui/feedback/dialog.tsx'

type Props = { text: string; open: boolean; close: () => void }

export const NoticeDialog = ({ text, open, close }: Props) => {
  const t = useT()
  return (
    <Dialog open={open} onClose={close} maxWidth="sm" fullWidth aria-labelledby="notice-title">
      <DialogTitle id="notice-title" sx={{ pr: 7 }}>
        {t('notice.title')}
      </DialogTitle>
      <DialogCloseButton onClick={close} />
      <DialogContent dividers>
        {text ? (
          <Markdown text={text} title={t('notice.title')} />
        ) : (
          <EmptyState title={t('notice.none')} />
        )}
      </DialogContent>
    </Dialog>
  )
}
