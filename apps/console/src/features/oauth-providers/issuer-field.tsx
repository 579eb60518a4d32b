import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import { api, errorText } from '../../api/index.ts'
import type { ControlProps } from '../../ui/form/types.ts'
import { Control, useT } from '../../ui/index.ts'

type Finding = { severity: 'success' | 'error'; text: string }

/** The address of an issuer, with a button that reads its configuration as a sign-in will. */
export const IssuerField = ({ value, set, ...props }: ControlProps) => {
  const t = useT()
  const [finding, setFinding] = useState<Finding>()
  const [isReading, setReading] = useState(false)
  const issuer = String(value ?? '').trim()
  const read = async () => {
    setReading(true)
    try {
      const { scopes_supported } = await api.oauth.discover({ issuer })
      const scopes = scopes_supported.join(' ') || '–'
      setFinding({ severity: 'success', text: t('oauth-providers.discovered', { scopes }) })
    } catch (error) {
      setFinding({ severity: 'error', text: errorText(t, error).text })
    }
    setReading(false)
  }
  const change = (next: unknown) => {
    setFinding(undefined)
    set(next)
  }
  return (
    <Stack spacing={1}>
      <Stack direction="row" spacing={1}>
        <Control {...props} value={value} set={change} placeholder="https://login.example.com" />
        <Button
          color="inherit"
          variant="outlined"
          loading={isReading}
          disabled={issuer === ''}
          onClick={() => void read()}
          sx={{ flexShrink: 0, borderColor: 'divider' }}
        >
          {t('oauth-providers.discover')}
        </Button>
      </Stack>
      {finding && (
        <Alert severity={finding.severity} variant="outlined" role="status">
          {finding.text}
        </Alert>
      )}
    </Stack>
  )
}
