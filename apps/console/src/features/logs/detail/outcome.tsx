import { ErrorDetails, type Log, logTypes } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Quota } from '../../../domain/index.ts'
import { Card, formatDuration, MonoText, useT } from '../../../ui/index.ts'
import { useSentence } from '../errors.tsx'

/** How a call ended, in a sentence; why it failed, if it did. */
export const Outcome = ({ log }: { log: Log }) => {
  if (log.type === logTypes.error) return <Failure log={log} />
  if (log.type === logTypes.consume) return <Answer log={log} />
  return null
}

const Answer = ({ log }: { log: Log }) => {
  const t = useT()
  const finish = log.metadata.cache === 'hit' ? 'cached' : String(log.metadata.finish ?? '')
  const isWhole = finish === 'complete' || finish === 'cached'
  const key = outcomes.includes(finish) ? finish : 'unknown'
  return (
    <Card>
      <Sentence tone={isWhole ? 'success.main' : 'warning.main'}>
        {t(`log.outcome.${key}`)}
      </Sentence>
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.5 }}>
        {t('log.outcome.took', { time: formatDuration(log.request_time) })} ·{' '}
        {t('log.outcome.charged')} <Quota value={log.quota} exact />
      </Typography>
    </Card>
  )
}

const outcomes = ['complete', 'cached', 'caller-left', 'upstream-broke', 'cut', 'lost']

const Failure = ({ log }: { log: Log }) => {
  const t = useT()
  const meaning = useSentence()(log.content)
  const details = ErrorDetails.safeParse(log.metadata).data
  return (
    <Card>
      <Sentence tone="error.main">{meaning ?? t('log.outcome.failed')}</Sentence>
      <Stack
        direction="row"
        sx={{ flexWrap: 'wrap', columnGap: 2, rowGap: 0.5, mt: 1, fontSize: 13 }}
      >
        <MonoText text={log.content} />
        {details && <span>HTTP {details.status}</span>}
        <span>{t('log.outcome.took', { time: formatDuration(log.request_time) })}</span>
      </Stack>
      {details?.message && (
        <Box sx={{ mt: 1.5, fontSize: 13 }}>
          <Box component="span" sx={{ color: 'text.secondary', display: 'block' }}>
            {t('logs.errors.message')}
          </Box>
          <Box sx={{ overflowWrap: 'anywhere' }}>{details.message}</Box>
        </Box>
      )}
      {details && (
        <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1.5 }}>
          {t(details.charged ? 'logs.errors.chargedYes' : 'log.outcome.free')}
        </Typography>
      )}
    </Card>
  )
}

const Sentence = ({ tone, children }: { tone: string; children: string }) => (
  <Box sx={{ display: 'flex', gap: 1.25, alignItems: 'baseline' }}>
    <Box
      aria-hidden
      sx={{ width: 10, height: 10, borderRadius: '50%', bgcolor: tone, flexShrink: 0 }}
    />
    <Typography component="h2" sx={{ fontSize: 16, fontWeight: 500 }}>
      {children}
    </Typography>
  </Box>
)
