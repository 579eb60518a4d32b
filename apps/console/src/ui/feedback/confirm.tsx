import Button, { type ButtonProps } from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId, useState } from 'react'
import { useT } from '../../locales/use-t.ts'
import { Dialog } from './dialog.tsx'
import { ActionItem, DisabledReason, useCloseMenu } from './row-menu.tsx'

export type Confirmation = {
  title?: string | undefined
  /** The consequence of the action, in one sentence. */
  text?: ReactNode
  /** The label of the confirm button. */
  confirmLabel?: string | undefined
  onConfirm: () => unknown
}

type DialogProps = Confirmation & { open: boolean; onClose: () => void; danger?: boolean }

export const ConfirmDialog = ({
  open,
  onClose,
  title,
  text,
  confirmLabel,
  onConfirm,
  danger = true,
}: DialogProps) => {
  const t = useT()
  const id = useId()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    await Promise.resolve(onConfirm()).catch(() => undefined)
    setBusy(false)
    onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={busy ? undefined : onClose}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      maxWidth="xs"
      fullWidth
      onClick={event => event.stopPropagation()}
    >
      <DialogTitle id={`${id}-title`}>{title ?? t('common.sure')}</DialogTitle>
      <DialogContent>
        <DialogContentText id={`${id}-text`} component="div">
          {text ?? t('common.cannotBeUndone')}
        </DialogContentText>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose} color="inherit" disabled={busy} autoFocus>
          {t('common.cancel')}
        </Button>
        <Button
          variant="contained"
          color={danger ? 'error' : 'primary'}
          loading={busy}
          onClick={() => void confirm()}
        >
          {confirmLabel ?? t('common.delete')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ConfirmButtonProps = Confirmation &
  Omit<ButtonProps, 'title' | 'onClick'> & { children: ReactNode; danger?: boolean }

/** A button that asks for confirmation before an action that cannot be undone. */
export const ConfirmButton = ({
  title,
  text,
  confirmLabel,
  onConfirm,
  danger = true,
  children,
  ...button
}: ConfirmButtonProps) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        color={danger ? 'error' : 'primary'}
        {...button}
        onClick={event => {
          event.stopPropagation()
          setOpen(true)
        }}
      >
        {children}
      </Button>
      <ConfirmDialog
        {...{ open, title, text, onConfirm, danger }}
        confirmLabel={confirmLabel ?? (typeof children === 'string' ? children : undefined)}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

type ConfirmItemProps = Confirmation & {
  icon?: ReactNode
  children: string
  danger?: boolean
  disabledReason?: string | undefined
}

/** A row menu item that asks for confirmation. */
export const ConfirmItem = ({
  icon,
  children,
  danger = true,
  disabledReason,
  ...confirmation
}: ConfirmItemProps) => {
  const [open, setOpen] = useState(false)
  const closeMenu = useCloseMenu()
  const close = () => {
    setOpen(false)
    closeMenu()
  }
  return (
    <>
      <ActionItem
        icon={icon}
        danger={danger}
        disabled={disabledReason !== undefined}
        keepOpen
        onClick={() => setOpen(true)}
      >
        <DisabledReason reason={disabledReason}>{children}</DisabledReason>
      </ActionItem>
      <ConfirmDialog
        {...confirmation}
        danger={danger}
        open={open}
        confirmLabel={confirmation.confirmLabel ?? children}
        onClose={close}
      />
    </>
  )
}
