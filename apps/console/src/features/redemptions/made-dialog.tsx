import CopyIcon from '@mui/icons-material/ContentCopyOutlined'
import DownloadIcon from '@mui/icons-material/FileDownloadOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { download } from '../../ui/csv.ts'
import { mono, useCopy, useT } from '../../ui/index.ts'
import { codeFile } from './export.ts'

type Props = { name: string; codes: readonly string[]; onClose: () => void }

/** The new codes, to be copied or saved as a file with one code a line. */
export const MadeDialog = ({ name, codes, onClose }: Props) => {
  const t = useT()
  const copy = useCopy()
  const id = useId()
  const text = codes.join('\n')
  const file = codeFile(name, codes)
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>
        {t('redemptions.made.title', { count: codes.length, value: codes.length })}
      </DialogTitle>
      <DialogContent>
        <Box sx={{ color: 'text.secondary', fontSize: 13, mb: 1.5 }}>
          {t('redemptions.made.text')}
        </Box>
        <Box
          component="pre"
          tabIndex={0}
          aria-label={t('redemptions.made.list')}
          sx={{
            m: 0,
            p: 1.5,
            maxHeight: 280,
            overflowY: 'auto',
            fontFamily: mono,
            fontSize: 12,
            lineHeight: 1.8,
            border: '1px solid',
            borderColor: 'divider',
            borderRadius: '8px',
            bgcolor: 'background.default',
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
        >
          {text}
        </Box>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', gap: 1, '&& > *': { ml: 0 } }}>
        <Button
          color="inherit"
          startIcon={<DownloadIcon />}
          onClick={() => download(file.name, file.text, 'text/plain;charset=utf-8')}
        >
          {t('redemptions.made.download')}
        </Button>
        <Button
          color="inherit"
          startIcon={<CopyIcon />}
          onClick={() => void copy(text, t('redemptions.fields.key'))}
        >
          {t('redemptions.made.copy')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t('redemptions.made.done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
