import CloseIcon from 'virtual:icons/close'
import IconButton from '@mui/material/IconButton'
import { useT } from '../../locales/use-t.ts'

type Props = { onClick: () => void; disabled?: boolean }

/** Closes a dialog from its upper right corner. It stands beside the title, because a title names the dialog with all it contains. */
export const DialogCloseButton = ({ onClick, disabled = false }: Props) => {
  const t = useT()
  return (
    <IconButton
      aria-label={t('common.close')}
      disabled={disabled}
      onClick={onClick}
      sx={{ position: 'absolute', right: 12, top: 12 }}
    >
      <CloseIcon fontSize="small" />
    </IconButton>
  )
}
