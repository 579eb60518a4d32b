import MuiDialog, { type DialogProps } from '@mui/material/Dialog'
import { useBackCloses } from '../use-dialog.ts'

type Props = Omit<DialogProps, 'onClose'> & { onClose?: (() => void) | undefined }

/** A dialog that the back button closes, whether it has an address or not. */
export const Dialog = ({ onClose, ...props }: Props) => {
  useBackCloses(props.open, onClose)
  return <MuiDialog {...props} {...(onClose && { onClose: () => onClose() })} />
}
