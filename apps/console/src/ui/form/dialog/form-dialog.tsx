import Button from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'
import { lazy, Suspense, useState } from 'react'
import type { z } from 'zod'
import { useDialog } from '../../use-dialog.ts'
import type { FormDialogProps } from '../types.ts'

const OpenFormDialog = lazy(async () => ({
  default: (await import('./open-form-dialog.tsx')).OpenFormDialog,
})) as unknown as typeof import('./open-form-dialog.tsx').OpenFormDialog

/** A form in a dialog, full-screen on phones. It asks before unsaved changes are discarded. */
export const FormDialog = <S extends z.ZodObject>(props: FormDialogProps<S>) => {
  const { trigger, button, title, address, open: controlledOpen, onClose } = props
  const dialog = useDialog(address ?? '')
  const [isOpenInside, setOpenInside] = useState(false)
  const [isMounted, setMounted] = useState(false)
  const open = controlledOpen ?? (address ? dialog.isOpen : isOpenInside)
  if (open && !isMounted) setMounted(true)
  const close = () => {
    if (address) dialog.close()
    setOpenInside(false)
    onClose?.()
  }
  return (
    <>
      {controlledOpen === undefined && trigger !== null && (
        <Button
          variant="contained"
          {...button}
          onClick={() => (address ? dialog.open() : setOpenInside(true))}
        >
          {trigger ?? title}
        </Button>
      )}
      {isMounted && (
        <Suspense>
          <OpenFormDialog
            {...props}
            isOpen={open}
            close={close}
            onExited={() => setMounted(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** A further button for the form with this address, such as the one of an empty list. */
export const DialogButton = ({ address, children }: { address: string; children: string }) => {
  const { open } = useDialog(address)
  return (
    <Button variant="contained" onClick={() => open()}>
      {children}
    </Button>
  )
}

/** Stands for the button of a form that the user may not open, and says why. */
export const DisabledFormButton = ({ label, reason }: { label: string; reason: string }) => (
  <Tooltip title={reason} describeChild>
    {/* A disabled button has no events that show a tooltip. */}
    <span>
      <Button variant="contained" disabled aria-description={reason}>
        {label}
      </Button>
    </span>
  </Tooltip>
)
