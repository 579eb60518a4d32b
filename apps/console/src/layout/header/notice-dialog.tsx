import CloseIcon from '@mui/icons-material/CloseOutlined'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { EmptyState, Markdown, useT } from '../../ui'

type Props = { text: string; open: boolean; close: () => void }

export const NoticeDialog = ({ text, open, close }: Props) => {
  const t = useT()
  return (
    <Dialog open={open} onClose={close} maxWidth="sm" fullWidth aria-labelledby="notice-title">
      <DialogTitle id="notice-title" sx={{ pr: 7 }}>
        {t('notice.title')}
      </DialogTitle>
      <IconButton
        aria-label={t('common.close')}
        onClick={close}
        sx={{ position: 'absolute', right: 12, top: 12 }}
      >
        <CloseIcon fontSize="small" />
      </IconButton>
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
