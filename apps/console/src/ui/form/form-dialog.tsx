import CloseIcon from '@mui/icons-material/CloseOutlined'
import Box from '@mui/material/Box'
import Button, { type ButtonProps } from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import useMediaQuery from '@mui/material/useMediaQuery'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { z } from 'zod'
import { useT } from '../../locales/use-t.ts'
import { ConfirmDialog } from '../feedback/confirm.tsx'
import { SchemaFields } from './schema-fields.tsx'
import type { SchemaFormProps } from './types.ts'
import { UnsavedGuard } from './unsaved.tsx'
import { useSchemaForm } from './use-schema-form.ts'

type FormDialogProps<S extends z.ZodObject> = SchemaFormProps<S> & {
  title: string
  intro?: ReactNode
  /** The words of the button that opens the dialog: the title, unless given. Null: no button, `open` decides. */
  trigger?: ReactNode
  button?: ButtonProps
  open?: boolean
  onClose?: () => void
}

/** A form over the page: full-screen on phones, and never closed by accident with work in it. */
export const FormDialog = <S extends z.ZodObject>(props: FormDialogProps<S>) => {
  const { trigger, button, title, open: given, onClose } = props
  const [own, setOwn] = useState(false)
  const [isAlive, setAlive] = useState(false)
  const open = given ?? own
  if (open && !isAlive) setAlive(true)
  const close = () => {
    setOwn(false)
    onClose?.()
  }
  return (
    <>
      {given === undefined && trigger !== null && (
        <Button variant="contained" {...button} onClick={() => setOwn(true)}>
          {trigger ?? title}
        </Button>
      )}
      {isAlive && (
        <OpenDialog {...props} isOpen={open} close={close} gone={() => setAlive(false)} />
      )}
    </>
  )
}

/** The form takes the place of the dialog's own surface, whose role must stay a dialog's. */
const filling = { display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 }

type OpenProps<S extends z.ZodObject> = FormDialogProps<S> & {
  isOpen: boolean
  close: () => void
  gone: () => void
}

const OpenDialog = <S extends z.ZodObject>({ isOpen, close, gone, ...props }: OpenProps<S>) => {
  const t = useT()
  const id = useId()
  const isPhone = useMediaQuery('(max-width: 599.95px)')
  const [asking, setAsking] = useState(false)
  const control = useSchemaForm({
    ...props,
    onSuccess: reply => {
      close()
      props.onSuccess?.(reply)
    },
  })
  const leave = () => {
    if (control.isSubmitting) return
    if (control.isDirty) setAsking(true)
    else close()
  }
  // A dialog inside another form's tree must not submit that form too: React passes events through portals.
  const submit = (event: FormEvent) => {
    event.stopPropagation()
    void control.send(event)
  }
  return (
    <Dialog
      open={isOpen}
      onClose={leave}
      fullScreen={isPhone}
      fullWidth
      maxWidth="sm"
      aria-labelledby={id}
      onClick={event => event.stopPropagation()}
      slotProps={{
        transition: { onExited: gone },
        paper: { sx: isPhone ? { border: 0 } : {} },
      }}
    >
      <Box component="form" noValidate onSubmit={submit} sx={filling}>
        <DialogTitle id={id} sx={{ pr: 7 }}>
          {props.title}
          <IconButton
            aria-label={t('common.close')}
            onClick={leave}
            sx={{ position: 'absolute', right: 12, top: 12 }}
          >
            <CloseIcon fontSize="small" />
          </IconButton>
        </DialogTitle>
        <DialogContent dividers sx={{ px: 3, py: 2.5 }}>
          {props.intro}
          <SchemaFields {...props} control={control} />
        </DialogContent>
        <DialogActions sx={{ px: 3, py: 1.5 }}>
          <Button color="inherit" onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" variant="contained" loading={control.isSubmitting}>
            {props.submitLabel ?? props.title}
          </Button>
        </DialogActions>
      </Box>
      <UnsavedGuard when={control.isDirty && !control.isSubmitting} />
      <ConfirmDialog
        open={asking}
        title={t('common.unsaved.title')}
        text={t('common.unsaved.text')}
        confirmLabel={t('common.unsaved.discard')}
        onClose={() => setAsking(false)}
        onConfirm={close}
      />
    </Dialog>
  )
}
