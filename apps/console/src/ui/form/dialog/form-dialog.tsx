import Button from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'
import { lazy, Suspense, useState } from 'react'
import type { z } from 'zod'
import type { FormDialogProps } from '../types.ts'

const OpenFormDialog = lazy(async () => ({
  default: (await import('./open-form-dialog.tsx')).OpenFormDialog,
})) as unknown as typeof import('./open-form-dialog.tsx').OpenFormDialog

/** A form in a dialog, full-screen on phones. It asks before unsaved changes are discarded. */
export const FormDialog = <S extends z.ZodObject>(props: FormDialogProps<S>) => {
  const { trigger, button, title, open: controlledOpen, onClose } = props
  const [isOpenInside, setOpenInside] = useState(false)
  const [isMounted, setMounted] = useState(false)
  const open = controlledOpen ?? isOpenInside
  if (open && !isMounted) setMounted(true)
  const close = () => {
    setOpenInside(false)
    onClose?.()
  }
  return (
    <>
      {controlledOpen === undefined && trigger !== null && (
        <Button variant="contained" {...button} onClick={() => setOpenInside(true)}>
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
