import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { Quota } from '../../../domain/index.ts'
import { Count, Duration, useT } from '../../../ui/index.ts'
import type { SelfTestResult } from './use-self-test.ts'

type Props = { result: SelfTestResult | undefined; isPossible: boolean; run: () => void }

/** Offers a real call with the token, and shows how it ended. */
export const SelfTest = ({ result, isPossible, run }: Props) => {
  const t = useT()
  const isRunning = result?.state === 'running'
  return (
    <Box sx={{ pt: 2, borderTop: '1px solid', borderColor: 'divider' }}>
      <Stack
        direction={{ xs: 'column', sm: 'row' }}
        sx={{ gap: 1.5, alignItems: { sm: 'center' }, justifyContent: 'space-between' }}
      >
        <Box>
          <Typography variant="body2" component="h3" sx={{ fontWeight: 500 }}>
            {t('clients.test.title')}
          </Typography>
          <Typography variant="body2" sx={{ color: 'text.secondary' }}>
            {t('clients.test.text')}
          </Typography>
        </Box>
        <Button
          variant="outlined"
          disabled={!isPossible || isRunning}
          onClick={run}
          sx={{ flexShrink: 0 }}
        >
          {t(isRunning ? 'clients.test.running' : 'clients.test.run')}
        </Button>
      </Stack>
      <Box role="status" sx={{ mt: result && !isRunning ? 1.5 : 0 }}>
        {result && result.state !== 'running' && <Outcome result={result} />}
      </Box>
    </Box>
  )
}

const Outcome = ({ result }: { result: Exclude<SelfTestResult, { state: 'running' }> }) => {
  const t = useT()
  const { row } = result
  return (
    <Alert
      severity={result.state === 'passed' ? 'success' : 'error'}
      variant="outlined"
      sx={{ overflowWrap: 'anywhere' }}
    >
      {t(result.state === 'passed' ? 'clients.test.passed' : result.errorKey)}
      {result.state === 'failed' && result.message && (
        <Box sx={{ mt: 0.5, fontSize: 12, color: 'text.secondary' }}>{result.message}</Box>
      )}
      <Stack direction="row" sx={{ flexWrap: 'wrap', columnGap: 1.5, mt: 0.5, fontSize: 12 }}>
        {result.state === 'passed' && <Duration ms={result.milliseconds} />}
        {row && (
          <>
            <span>
              <Count value={row.prompt_tokens} /> → <Count value={row.completion_tokens} />
            </span>
            <Quota value={row.quota} exact />
            <MuiLink component={Link} to={`/panel/log/${row.id}`}>
              {t('clients.test.log')}
            </MuiLink>
          </>
        )}
      </Stack>
    </Alert>
  )
}
