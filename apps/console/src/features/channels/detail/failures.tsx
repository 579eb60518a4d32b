import type { ChannelFigures } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useOptionalT } from '../../../locales/use-t.ts'
import { Card, EmptyState, formatCount, mono, useT } from '../../../ui/index.ts'

/** The failed attempts by class, each with a bar of its share. */
export const Failures = ({ figures }: { figures: ChannelFigures }) => {
  const t = useT()
  const { failures } = figures
  const most = failures[0]?.count ?? 0
  return (
    <Card title={t('channel.failures.title')} intro={t('channel.failures.intro')}>
      {failures.length === 0 ? (
        <EmptyState title={t('channel.failures.none')} />
      ) : (
        <Stack
          component="ul"
          spacing={1.5}
          tabIndex={0}
          aria-label={t('channel.failures.title')}
          sx={{ listStyle: 'none', m: 0, p: 0, maxHeight: 240, overflowY: 'auto' }}
        >
          {failures.map(({ code, count }) => (
            <Failure key={code} code={code} count={count} share={count / most} />
          ))}
        </Stack>
      )}
    </Card>
  )
}

type FailureProps = { code: string; count: number; share: number }

const Failure = ({ code, count, share }: FailureProps) => {
  const optionalT = useOptionalT()
  const sentence = optionalT(`faults.${code}`)
  return (
    <li>
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2 }}>
        <Typography variant="body2">{sentence ?? code}</Typography>
        <Typography variant="body2" sx={{ fontVariantNumeric: 'tabular-nums', fontWeight: 500 }}>
          {formatCount(count)}
        </Typography>
      </Stack>
      {sentence && (
        <Typography variant="caption" sx={{ color: 'text.secondary', fontFamily: mono }}>
          {code}
        </Typography>
      )}
      <Box sx={{ height: 4, borderRadius: 2, bgcolor: 'action.hover', mt: 0.5 }}>
        <Box sx={{ height: 4, borderRadius: 2, bgcolor: 'error.main', width: `${share * 100}%` }} />
      </Box>
    </li>
  )
}
