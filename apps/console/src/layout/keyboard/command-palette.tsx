import { lazy, Suspense, useState } from 'react'
import { loadTexts } from '../../locales/language.ts'
import { useT } from '../../ui'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { useKeyDown } from './use-key-down.ts'

const Palette = lazy(async () => {
  const [{ Palette }] = await Promise.all([import('./palette.tsx'), loadTexts('palette')])
  return { default: Palette }
})

/** A searchable list of pages and actions that opens with Ctrl-K or Cmd-K. */
export const CommandPalette = () => {
  const t = useT()
  const [open, setOpen] = useState(false)
  useKeyDown(event => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    setOpen(isOpen => !isOpen)
  })
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      fullWidth
      maxWidth="sm"
      slotProps={{
        paper: { 'aria-label': t('common.palette.title'), 'aria-labelledby': undefined },
      }}
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start', pt: { sm: '12vh' } } }}
    >
      <Suspense>
        <Palette close={() => setOpen(false)} />
      </Suspense>
    </Dialog>
  )
}
