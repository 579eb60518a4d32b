import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type FormEvent, useId, useState } from 'react'
import type { z } from 'zod'
import { useT } from '../../../locales/use-t.ts'
import { ConfirmDialog } from '../../feedback/confirm.tsx'
import { Dialog } from '../../feedback/dialog.tsx'
import { DialogCloseButton } from '../../feedback/dialog-close-button.tsx'
import { SchemaFields } from '../schema-fields.tsx'
import type { FormDialogProps } from '../types.ts'
import { UnsavedGuard } from '../unsaved.tsx'
import { useSchemaForm } from '../use-schema-form.ts'

/** Makes the form fill the dialog's paper, which must keep its role as a dialog. */
const fillPaper = { display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }

type OpenProps<S extends z.ZodObject> = FormDialogProps<S> & {
  isOpen: boolean
  close: () => void
  onExited: () => void
}

/** The dialog itself, in its own chunk because a page can be read without its forms. */
export const OpenFormDialog = <S extends z.ZodObject>({
  isOpen,
  close,
  onExited,
  ...props
}: OpenProps<S>) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const [isConfirming, setConfirming] = useState(false)
  const control = useSchemaForm({
    ...props,
    onSuccess: response => {
      close()
      props.onSuccess?.(response)
    },
  })
  const requestClose = () => {
    if (control.isSubmitting) return
    if (control.isDirty) setConfirming(true)
    else close()
  }
  // React events bubble through portals: without this, a dialog inside a form would submit that form too.
  const submit = (event: FormEvent) => {
    event.stopPropagation()
    void control.send(event)
  }
  return (
    <Dialog
      open={isOpen}
      onClose={requestClose}
      fullScreen={isPhone}
      fullWidth
      maxWidth="sm"
      aria-labelledby={id}
      onClick={event => event.stopPropagation()}
      slotProps={{
        transition: { onExited },
        paper: { sx: isPhone ? { border: 0 } : {} },
      }}
    >
      <Box component="form" noValidate onSubmit={submit} sx={fillPaper}>
        <DialogTitle id={id} sx={{ pr: 7 }}>
          {props.title}
        </DialogTitle>
        <DialogCloseButton onClick={requestClose} />
        <DialogContent dividers sx={{ px: 3, py: 2.5 }}>
          {props.intro}
          <SchemaFields {...props} control={control} />
        </DialogContent>
        <DialogActions sx={{ px: 3, py: 1.5 }}>
          <Button color="inherit" onClick={requestClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={control.isSubmitting}>
            {props.submitLabel ?? props.title}
          </Button>
        </DialogActions>
      </Box>
      <UnsavedGuard when={control.isDirty && !control.isSubmitting} />
      <ConfirmDialog
        open={isConfirming}
        title={t('common.unsaved.title')}
        text={t('common.unsaved.text')}
        confirmLabel={t('common.unsaved.discard')}
        onClose={() => setConfirming(false)}
        onConfirm={close}
      />
    </Dialog>
  )
}
