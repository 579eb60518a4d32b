import type { Token } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { api, query } from '../../api/index.ts'
import { makeCurlCommand, serverAddress } from '../../domain/server-address.ts'
import { CopyButton, useT } from '../../ui/index.ts'
import { useSite } from '../../api/index.ts'
import { mono } from '../../ui/theme.ts'

/** The key in full, and a call that works with it. */
export const MadeDialog = ({ token, onClose }: { token: Token; onClose: () => void }) => {
  const t = useT()
  const site = useSite()
  const titleId = useId()
  const { data: models = {} } = useQuery(query(api.models.available))
  const { limit_model_setting: limit } = token.setting.limits
  const model = (limit.enabled ? limit.models[0] : Object.keys(models)[0]) ?? 'gpt-4o-mini'
  const curl = makeCurlCommand(serverAddress(site.server_address), token.key, model)
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('tokens.made.title', { name: token.name })}</DialogTitle>
      <DialogContent>
        <Stack spacing={2.5}>
          <Alert severity="info" variant="outlined">
            {t('tokens.made.text')}
          </Alert>
          <Snippet label={t('tokens.fields.key')} text={token.key} copy={t('tokens.copyKey')}>
            {token.key}
          </Snippet>
          <Snippet label={t('tokens.made.try')} text={curl} copy={t('tokens.made.copyCurl')}>
            {curl}
          </Snippet>
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button variant="contained" onClick={onClose}>
          {t('tokens.made.done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type SnippetProps = { label: string; text: string; copy: string; children: ReactNode }

const Snippet = ({ label, text, copy, children }: SnippetProps) => (
  <Box>
    <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
        {label}
      </Typography>
      <CopyButton text={text} label={copy} />
    </Stack>
    <Box
      component="pre"
      tabIndex={0}
      sx={{
        m: 0,
        p: 1.5,
        fontFamily: mono,
        fontSize: 12,
        lineHeight: 1.6,
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '8px',
        bgcolor: 'background.default',
        whiteSpace: 'pre-wrap',
        overflowWrap: 'anywhere',
      }}
    >
      {children}
    </Box>
  </Box>
)
