import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useState } from 'react'
import { KeyValue, useT } from '../../ui'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { useKeyDown } from './use-key-down.ts'

const Key = ({ children }: { children: string }) => (
  <Box
    component="kbd"
    sx={{
      px: 0.75,
      py: 0.25,
      fontSize: 12,
      fontFamily: 'inherit',
      border: '1px solid',
      borderColor: 'divider',
      borderRadius: '5px',
    }}
  >
    {children}
  </Box>
)

/** Opens the list of shortcuts on `?` and focuses the search field on `/`. */
export const ShortcutsHelp = () => {
  const t = useT()
  const [open, setOpen] = useState(false)
  useKeyDown((event, typing) => {
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '?') setOpen(true)
    if (event.key !== '/') return
    const filter = document.querySelector<HTMLInputElement>('[data-filter]')
    if (!filter) return
    event.preventDefault()
    filter.focus()
  })
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      maxWidth="xs"
      fullWidth
      aria-labelledby="keys"
    >
      <DialogTitle id="keys">{t('common.keys.title')}</DialogTitle>
      <DialogContent>
        <KeyValue
          rows={[
            [t('common.keys.palette'), <Key key="k">Ctrl / ⌘ K</Key>],
            [t('common.keys.filter'), <Key key="f">/</Key>],
            [t('common.keys.move'), <Key key="m">↑ ↓ Home End</Key>],
            [t('common.keys.open'), <Key key="o">Enter</Key>],
            [t('common.keys.tabs'), <Key key="t">← →</Key>],
            [t('common.keys.back'), <Key key="b">Alt ←</Key>],
            [t('common.keys.close'), <Key key="c">Esc</Key>],
            [t('common.keys.help'), <Key key="h">?</Key>],
          ]}
        />
      </DialogContent>
    </Dialog>
  )
}
