import TestIcon from 'virtual:icons/speed'
import type { Channel } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, query } from '../../../api/index.ts'
import { ModelName } from '../../../domain/index.ts'
import { notify, useAction, useT } from '../../../ui/index.ts'
import { affectedResources } from '../queries.ts'
import { TestProgress } from '../testing/progress.tsx'
import { ResultBadge, storedResult } from '../testing/result.tsx'
import {
  keyOf,
  type TestResult,
  type TestTarget,
  testableModels,
  testModelOf,
} from '../testing/run-tests.ts'
import { type Tests, useTests } from '../testing/use-tests.ts'
import type { CreateDraft } from './draft.ts'
import { Footer } from './footer.tsx'

type Props = {
  draft: CreateDraft
  channels: readonly Channel[]
  discard: () => Promise<void>
  onFinish: () => void
}

/** Tests the stored channels, which get no calls before they are enabled here. */
export const TestStep = ({ draft, channels, discard, onFinish }: Props) => {
  const t = useT()
  const tests = useTests()
  const targets = targetsOf(channels)
  const enable = useAction(affectedResources, api.channels.setStatuses)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what changed is tested once, when the step opens
  useEffect(() => {
    if (!draft.isTestDue) return
    draft.change({ isTestDue: false })
    void tests.run(firstTests(channels))
  }, [])
  const enableAll = async () => {
    const count = await enable({ ids: channels.map(each => each.id), status: 1 })
    if (count === undefined) return
    notify.success(t('channel-create.enabled', { count: channels.length }))
    draft.clear()
    onFinish()
  }
  const finish = () => {
    draft.clear()
    onFinish()
  }
  return (
    <>
      <Box sx={{ maxWidth: 720 }}>
        <Stack direction="row" sx={{ gap: 2, alignItems: 'flex-start', mb: 1.5 }}>
          <Typography variant="body2" sx={{ color: 'text.secondary', flex: 1 }}>
            {t('channel-create.test.intro', { count: channels.length })}
          </Typography>
          {targets.length > 1 && (
            <Button
              variant="outlined"
              color="inherit"
              size="small"
              disabled={tests.isRunning}
              sx={{ flexShrink: 0 }}
              onClick={() => void tests.run(targets)}
            >
              {t('channel-create.test.all')}
            </Button>
          )}
        </Stack>
        <TestProgress tests={tests} />
        <Results {...{ channels, targets, tests }} />
      </Box>
      <Footer discard={discard} isStored>
        <Button color="inherit" onClick={() => draft.change({ step: 2 })}>
          {t('common.back')}
        </Button>
        <Button color="inherit" onClick={finish}>
          {t('channel-create.keepDisabled')}
        </Button>
        <Button variant="contained" loading={enable.isPending} onClick={() => void enableAll()}>
          {t('channel-create.enable')}
        </Button>
      </Footer>
    </>
  )
}

type ResultsProps = {
  channels: readonly Channel[]
  targets: readonly TestTarget[]
  tests: Tests
}

const Results = ({ channels, targets, tests }: ResultsProps) => {
  const t = useT()
  const storedTests = useStoredTests(channels)
  // Several channels are told apart by name, the models of one by theirs.
  const nameOf = ({ channelId }: TestTarget) =>
    channels.length > 1 ? (channels.find(each => each.id === channelId)?.name ?? '') : ''
  if (targets.length === 0)
    return (
      <Alert severity="info" variant="outlined">
        {t('channel-create.test.none')}
      </Alert>
    )
  return (
    <Box
      component="ul"
      aria-label={t('channel-create.test.results')}
      sx={{ listStyle: 'none', m: 0, p: 0 }}
    >
      {targets.map(target => (
        <Result
          key={keyOf(target)}
          target={target}
          channelName={nameOf(target)}
          result={tests.resultOf(target) ?? storedTests(target)}
          isRunning={tests.isRunning}
          test={() => void tests.run([target])}
        />
      ))}
    </Box>
  )
}

const testModelTarget = (channel: Channel): TestTarget[] => {
  const model = testModelOf(channel)
  return model === undefined ? [] : [{ channelId: channel.id, model }]
}

/** Each model of one channel, or one model of each of several. */
const targetsOf = (channels: readonly Channel[]): TestTarget[] => {
  const [only, ...others] = channels
  if (!only || others.length > 0) return channels.flatMap(testModelTarget)
  const models = new Set([
    ...testModelTarget(only).map(each => each.model),
    ...testableModels(only),
  ])
  return [...models].map(model => ({ channelId: only.id, model }))
}

/** One model of each channel is tested at once. The others wait for a click, because providers charge for each call. */
const firstTests = (channels: readonly Channel[]) => channels.flatMap(testModelTarget)

/** The results of before a reload: of each model of one channel, or the last test of each of several. */
const useStoredTests = (channels: readonly Channel[]) => {
  const [only, ...others] = channels
  const { data = [] } = useQuery({
    ...query(api.channels.modelTests, { id: only?.id ?? 0 }),
    enabled: only !== undefined && others.length === 0,
  })
  return ({ channelId, model }: TestTarget): TestResult | undefined => {
    if (others.length === 0) {
      const stored = data.find(each => each.model === model)
      return stored && storedResult(stored)
    }
    const channel = channels.find(each => each.id === channelId)
    if (!channel || channel.test_time === 0) return undefined
    return storedResult({
      ...{ model, at: channel.test_time },
      ...{ ms: channel.response_time, error: channel.test_error, kind: channel.test_kind },
    })
  }
}

type ResultProps = {
  target: TestTarget
  channelName: string
  result: TestResult | undefined
  isRunning: boolean
  test: () => void
}

const Result = ({ target, channelName, result, isRunning, test }: ResultProps) => {
  const t = useT()
  const label = t('channels.testOf', { name: channelName || target.model })
  return (
    <Box
      component="li"
      sx={{ py: 0.75, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1, minHeight: 34 }}>
        <Box sx={{ flex: 1, minWidth: 0, fontSize: 14, fontWeight: 500 }}>
          {channelName && (
            <Box component="span" sx={{ overflowWrap: 'anywhere', mr: 1.5 }}>
              {channelName}
            </Box>
          )}
          <ModelName name={target.model} />
        </Box>
        <ResultBadge result={result} />
        <IconButton size="small" aria-label={label} disabled={isRunning} onClick={test}>
          <TestIcon sx={{ fontSize: 18 }} />
        </IconButton>
      </Stack>
      {result?.state === 'failed' && (
        <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {result.error}
        </Typography>
      )}
    </Box>
  )
}
