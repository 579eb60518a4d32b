import CopyIcon from 'virtual:icons/content-copy'
import DownloadIcon from 'virtual:icons/file-download'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useT } from '../../locales/use-t.ts'
import { download, safeFileName } from '../csv.ts'
import { Dialog } from '../feedback/dialog.tsx'
import { CodeBlock } from '../values/code-block.tsx'
import { useCopy } from '../values/copy.tsx'

type Props = {
  resource: string
  /** The name of the downloaded file, without its extension. */
  name: string
  lines: readonly string[]
  onClose: () => void
}

/** Shows what was just created, one item per line, to copy or to download. The texts are `<resource>.made.*`. */
export const CreatedLinesDialog = ({ resource, name, lines, onClose }: Props) => {
  const t = useT()
  const copy = useCopy()
  const id = useId()
  const text = lines.join('\n')
  const save = () =>
    download(`${safeFileName(name, 'codes')}.txt`, `${text}\n`, 'text/plain;charset=utf-8')
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>
        {t(`${resource}.made.title`, { count: lines.length, value: lines.length })}
      </DialogTitle>
      <DialogContent>
        <Box sx={{ color: 'text.secondary', fontSize: 13, mb: 1.5 }}>
          {t(`${resource}.made.text`)}
        </Box>
        <CodeBlock
          label={t(`${resource}.made.list`)}
          sx={{ maxHeight: 280, overflowY: 'auto', lineHeight: 1.8 }}
        >
          {text}
        </CodeBlock>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', gap: 1, '&& > *': { ml: 0 } }}>
        <Button color="inherit" startIcon={<DownloadIcon />} onClick={save}>
          {t(`${resource}.made.download`)}
        </Button>
        <Button
          color="inherit"
          startIcon={<CopyIcon />}
          onClick={() => void copy(text, t(`${resource}.fields.key`))}
        >
          {t(`${resource}.made.copy`)}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t(`${resource}.made.done`)}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
