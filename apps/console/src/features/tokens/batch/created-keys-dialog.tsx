import CopyIcon from 'virtual:icons/content-copy'
import DownloadIcon from 'virtual:icons/file-download'
import type { Token } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { Fragment, useId } from 'react'
import { download, safeFileName, toCsv } from '../../../ui/csv.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { CodeBlock, useT } from '../../../ui/index.ts'
import { useCopy } from '../../../ui/values/copy.tsx'

type Props = { name: string; tokens: readonly Token[]; onClose: () => void }

/** Names and keys side by side; on phones each key is below its name. */
const keyGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: '1fr', sm: 'max-content 1fr' },
  columnGap: 2,
  rowGap: { xs: 0, sm: 0.5 },
  maxHeight: 320,
  overflowY: 'auto',
} as const

/** Shows the whole keys of several new tokens, to copy or to download. */
export const CreatedKeysDialog = ({ name, tokens, onClose }: Props) => {
  const t = useT()
  const copy = useCopy()
  const titleId = useId()
  const text = tokens.map(each => `${each.name} ${each.key}`).join('\n')
  const save = () => {
    const header = [t('tokens.fields.name'), t('tokens.fields.key')]
    const rows = tokens.map(each => [each.name, each.key])
    download(`${safeFileName(name, 'tokens')}.csv`, toCsv([header, ...rows]))
  }
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>
        {t('tokens.batch.createdTitle', { value: tokens.length })}
      </DialogTitle>
      <DialogContent>
        <Alert severity="info" variant="outlined" sx={{ mb: 2 }}>
          {t('tokens.batch.createdText')}
        </Alert>
        <CodeBlock label={t('tokens.batch.keys')} sx={keyGrid}>
          {tokens.map(each => (
            <Fragment key={each.id}>
              <Box component="span" sx={{ color: 'text.secondary' }}>
                {`${each.name} `}
              </Box>
              <Box component="span" sx={{ wordBreak: 'break-all', mb: { xs: 1, sm: 0 } }}>
                {`${each.key}\n`}
              </Box>
            </Fragment>
          ))}
        </CodeBlock>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', gap: 1, '&& > *': { ml: 0 } }}>
        <Button color="inherit" startIcon={<DownloadIcon />} onClick={save}>
          {t('tokens.batch.download')}
        </Button>
        <Button
          color="inherit"
          startIcon={<CopyIcon />}
          onClick={() => void copy(text, t('tokens.batch.keys'))}
        >
          {t('tokens.batch.copy')}
        </Button>
        <Button variant="contained" onClick={onClose}>
          {t('tokens.made.done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
