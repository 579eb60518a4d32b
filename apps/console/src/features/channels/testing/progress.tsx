import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Meter, useT } from '../../../ui/index.ts'
import type { Tests } from './use-tests.ts'

/** How far the tests are, with a button that stops them. Nothing before the first test of several. */
export const TestProgress = ({ tests }: { tests: Tests }) => {
  const t = useT()
  const { isRunning, total, done, failed } = tests
  if (total < 2) return null
  const isComplete = done === total
  return (
    <Box sx={{ mb: 1.5 }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 2, minHeight: 36 }}>
        <Typography variant="body2" role="status" sx={{ color: 'text.secondary', flex: 1 }}>
          {t(`channels.newTests.${isComplete ? 'done' : 'running'}`, { done, failed, total })}
        </Typography>
        {isRunning && (
          <Button size="small" variant="outlined" color="inherit" onClick={tests.stop}>
            {t('channels.newTests.stop')}
          </Button>
        )}
      </Stack>
      <Meter percent={(done / total) * 100} tone={failed > 0 ? 'warning' : 'primary'} />
    </Box>
  )
}
