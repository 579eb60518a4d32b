import RetryIcon from 'virtual:icons/replay'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useT } from '../../ui'
import { AnswerView } from './answer.tsx'
import { Thumbnails } from './thumbnails.tsx'
import type { Answer, Turn } from './turn.ts'

type Props = { turns: readonly Turn[]; retry?: (() => void) | undefined }

export const Turns = ({ turns, retry }: Props) => {
  const t = useT()
  const last = turns.at(-1)
  return (
    <Stack spacing={3}>
      {turns.map(turn => (
        <Box key={turn.id} component="article">
          <Question turn={turn} />
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              alignItems: 'start',
              gridTemplateColumns:
                turn.answers.length > 1
                  ? { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' }
                  : 'minmax(0, 1fr)',
            }}
          >
            {turn.answers.map(answer => (
              <AnswerView key={answer.column} answer={answer} isFramed={turn.answers.length > 1} />
            ))}
          </Box>
        </Box>
      ))}
      {retry && last && (
        <Button
          color="inherit"
          size="small"
          startIcon={<RetryIcon />}
          onClick={retry}
          sx={{ alignSelf: 'flex-start', '&&': { mt: 1 } }}
        >
          {t('playground.retry')}
        </Button>
      )}
      {/* Screen readers announce the answer once, when it is complete. */}
      <Box role="log" aria-live="polite" sx={visuallyHidden}>
        {last?.answers.map(answer => announced(answer, t)).join('\n')}
      </Box>
    </Stack>
  )
}

const announced = ({ state, error, text }: Answer, t: ReturnType<typeof useT>) => {
  if (state === 'running') return ''
  return error ? `${t(error.key)} ${error.message}` : text
}

const Question = ({ turn: { prompt, images, lostImages } }: { turn: Turn }) => {
  const t = useT()
  return (
    <Box
      sx={{
        ml: 'auto',
        mb: 2,
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
      <Thumbnails images={images} />
      {prompt}
      {lostImages > 0 && (
        <Typography variant="body2" sx={{ fontSize: 12 }}>
          {t('playground.lostImages', { count: lostImages })}
        </Typography>
      )}
    </Box>
  )
}
