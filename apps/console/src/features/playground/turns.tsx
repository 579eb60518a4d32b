import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { Quota } from '../../domain'
import { CopyButton, Count, Duration, Markdown, useT } from '../../ui'
import type { Turn } from './use-chat.ts'

export const Turns = ({ turns }: { turns: readonly Turn[] }) => {
  const t = useT()
  const last = turns.at(-1)
  return (
    <Stack spacing={3}>
      {turns.map(turn => (
        <Box key={turn.id} component="article">
          <Box
            sx={{
              ml: 'auto',
              width: 'fit-content',
              maxWidth: '85%',
              px: 2,
              py: 1.25,
              borderRadius: '12px',
              bgcolor: 'primary.light',
              color: 'text.primary',
              whiteSpace: 'pre-wrap',
              overflowWrap: 'anywhere',
            }}
          >
            {turn.prompt}
          </Box>
          <Box sx={{ mt: 2, minWidth: 0 }} aria-busy={turn.state === 'running'}>
            {turn.reasoning && <Folded title={t('playground.reasoning')} text={turn.reasoning} />}
            {turn.answer && <Markdown text={turn.answer} from="model" />}
            {turn.toolCalls.map(call => (
              <Folded
                key={call.index}
                title={t('playground.toolCall', { name: call.name })}
                text={call.arguments}
              />
            ))}
            {turn.state === 'running' && !turn.answer && (
              <Typography sx={{ color: 'text.secondary' }}>{t('playground.waiting')}</Typography>
            )}
            {turn.error && (
              <Alert severity="error" variant="outlined" sx={{ mt: 1 }}>
                {turn.error}
              </Alert>
            )}
            {turn.state !== 'running' && <Receipt turn={turn} />}
          </Box>
        </Box>
      ))}
      {/* Screen readers announce the answer once, when it is complete. */}
      <Box role="log" aria-live="polite" sx={visuallyHidden}>
        {last && last.state !== 'running' ? (last.error ?? last.answer) : ''}
      </Box>
    </Stack>
  )
}

/** A part of the answer that is shown on demand, as plain text. */
const Folded = ({ title, text }: { title: string; text: string }) => (
  <Box component="details" sx={{ my: 1, color: 'text.secondary', fontSize: 13 }}>
    <Box component="summary" sx={{ cursor: 'pointer' }}>
      {title}
    </Box>
    <Box sx={{ mt: 0.5, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{text}</Box>
  </Box>
)

const Receipt = ({ turn }: { turn: Turn }) => {
  const t = useT()
  const { receipt, usage, answer, state } = turn
  return (
    <Stack
      direction="row"
      sx={{
        mt: 1,
        alignItems: 'center',
        flexWrap: 'wrap',
        gap: 1.5,
        fontSize: 12,
        color: 'text.secondary',
      }}
    >
      {answer && <CopyButton text={answer} what={t('playground.answer')} />}
      {state === 'stopped' && <span>{t('playground.stopped')}</span>}
      {(receipt ?? usage) && (
        <span>
          {t('playground.tokens')} <Count value={(receipt ?? usage)?.prompt_tokens ?? 0} /> →{' '}
          <Count value={(receipt ?? usage)?.completion_tokens ?? 0} />
        </span>
      )}
      {receipt && (
        <>
          <Quota value={receipt.quota} exact />
          <Duration ms={receipt.request_time} />
        </>
      )}
    </Stack>
  )
}
