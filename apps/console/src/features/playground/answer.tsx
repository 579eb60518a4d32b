import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import MuiLink from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { ModelName, Quota } from '../../domain'
import { CopyButton, Count, Duration, Markdown, useT } from '../../ui'
import type { Answer } from './turn.ts'

type Props = { answer: Answer; isFramed: boolean }

export const AnswerView = ({ answer, isFramed }: Props) => {
  const t = useT()
  const { state, text, reasoning, toolCalls, error, model } = answer
  return (
    <Box sx={isFramed ? framed : { minWidth: 0 }} aria-busy={state === 'running'}>
      {isFramed && (
        <Box sx={{ fontSize: 13, fontWeight: 500, mb: 1 }}>
          <ModelName name={model} />
        </Box>
      )}
      {reasoning && <Folded title={t('playground.reasoning')} text={reasoning} />}
      {text && <Markdown text={text} from="model" />}
      {toolCalls.map(call => (
        <Folded
          key={call.index}
          title={t('playground.toolCall', { name: call.name })}
          text={call.arguments}
        />
      ))}
      {state === 'running' && !text && (
        <Typography sx={{ color: 'text.secondary' }}>{t('playground.waiting')}</Typography>
      )}
      {error && (
        <Alert severity="error" variant="outlined" sx={{ mt: 1, overflowWrap: 'anywhere' }}>
          {t(error.key)}
          {error.message && (
            <Box sx={{ mt: 0.5, fontSize: 12, color: 'text.secondary' }}>{error.message}</Box>
          )}
        </Alert>
      )}
      {state !== 'running' && <Receipt answer={answer} />}
    </Box>
  )
}

const framed = {
  minWidth: 0,
  p: 2,
  border: '1px solid',
  borderColor: 'divider',
  borderRadius: '12px',
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

const Receipt = ({ answer: { text, state, row, usage } }: { answer: Answer }) => {
  const t = useT()
  const tokens = row?.input || row?.output ? row : usage
  return (
    <Stack
      direction="row"
      sx={{
        ...{ mt: 1, alignItems: 'center', flexWrap: 'wrap', columnGap: 1.5, rowGap: 0.5 },
        ...{ fontSize: 12, color: 'text.secondary' },
      }}
    >
      {text && <CopyButton text={text} what={t('playground.answer')} />}
      {state === 'stopped' && <span>{t('playground.stopped')}</span>}
      {tokens && (
        <span>
          {t('playground.tokens')} <Count value={tokens.input ?? 0} /> →{' '}
          <Count value={tokens.output ?? 0} />
        </span>
      )}
      {row && (
        <>
          <Quota value={row.quota} exact />
          <Duration ms={row.ms} />
          <MuiLink component={Link} to={`/panel/log/${row.id}`}>
            {t('playground.log')}
          </MuiLink>
        </>
      )}
    </Stack>
  )
}
