import type { Token } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { api, query, useSite } from '../../api/index.ts'
import { makeCurlCommand, serverAddress } from '../../domain/server-address.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { CodeBlock, CopyButton, useT } from '../../ui/index.ts'
import { UseInClient } from './clients/use-in-client.tsx'

/** Shows the whole key of a new token and a curl command that uses it. */
export const CreatedDialog = ({ token, onClose }: { token: Token; onClose: () => void }) => {
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
          <Snippet
            label={t('tokens.fields.key')}
            text={token.key}
            copyLabel={t('tokens.copyKey')}
          />
          <Snippet label={t('tokens.made.try')} text={curl} copyLabel={t('tokens.made.copyCurl')} />
        </Stack>
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <UseInClient token={token} fullKey={token.key} />
        <Button variant="contained" onClick={onClose}>
          {t('tokens.made.done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type SnippetProps = { label: string; text: string; copyLabel: string }

const Snippet = ({ label, text, copyLabel }: SnippetProps) => (
  <Box>
    <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
      <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
        {label}
      </Typography>
      <CopyButton text={text} label={copyLabel} />
    </Stack>
    <CodeBlock>{text}</CodeBlock>
  </Box>
)
