import type { ModelTest } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import { Badge, formatDuration, formatTime, useT } from '../../../ui/index.ts'
import { readOnlyKey } from './read-only.ts'
import type { TestResult } from './run-tests.ts'

const tones = { waiting: 'gray', running: 'blue', passed: 'green', failed: 'red' } as const

/** A stored test, in the form of one that ran just now. */
export const storedResult = ({ ms, error, kind }: ModelTest): TestResult =>
  error === '' ? { state: 'passed', ms, kind } : { state: 'failed', error }

const PassedBadge = ({ ms, kind }: Pick<ModelTest, 'ms' | 'kind'>) =>
  kind === 'call' ? (
    <Badge tone="green" text={formatDuration(ms)} />
  ) : (
    <Badge tone={kind === 'none' ? 'gray' : 'green'} labelKey={readOnlyKey(kind)} />
  )

type Props = {
  result: TestResult | undefined
  /** Seconds; 0: just now. */
  at?: number
}

/** The result of a test as a badge: how long the answer took, or that it failed. */
export const ResultBadge = ({ result, at = 0 }: Props) => {
  const t = useT()
  if (!result) return <Box sx={{ color: 'text.secondary' }}>{t('channels.notTested')}</Box>
  const { state } = result
  const badge =
    state === 'passed' ? (
      <PassedBadge {...result} />
    ) : (
      <Badge tone={tones[state]} labelKey={`channels.newTests.states.${state}`} />
    )
  if (at === 0) return badge
  return (
    <Tooltip title={t('channels.testedAt', { at: formatTime(at) })} describeChild>
      <span>{badge}</span>
    </Tooltip>
  )
}
