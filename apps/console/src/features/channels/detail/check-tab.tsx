import CheckIcon from 'virtual:icons/check'
import {
  type Channel,
  type CheckEvent,
  type CheckedFeature,
  type CheckResult,
  checkedFeatures,
} from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { streamEvents } from '../../../api/events.ts'
import { api, errorText, query } from '../../../api/index.ts'
import { splitNames } from '../../../ui/form/names.ts'
import { NamesField } from '../../../ui/form/names-field.tsx'
import { Card, EmptyState, formatTime, Meter, notify, useT } from '../../../ui/index.ts'
import { CheckGrid } from './check-grid.tsx'

const modelsMax = 50

/** Tries features of the channel's models, shows each result as it comes, and before that the last check. */
export const CheckTab = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const offered = splitNames(channel.models).filter(model => !model.endsWith('*'))
  const [models, setModels] = useState<string[]>(() => offered.slice(0, 5))
  const [features, setFeatures] = useState<CheckedFeature[]>([...checkedFeatures])
  const { data: last } = useQuery(query(api.channels.lastCheck, { id: channel.id }))
  const check = useCheck(channel.id)
  const total = models.length * features.length
  const results = check.results ?? last?.results ?? []
  return (
    <Stack spacing={2}>
      <Card title={t('channel.check.title')} intro={t('channel.check.intro')}>
        <Stack spacing={2}>
          <Box>
            <Typography
              variant="body2"
              component="label"
              htmlFor="check-models"
              sx={{ fontWeight: 500 }}
            >
              {t('channel.check.models')}
            </Typography>
            <Box sx={{ mt: 0.75 }}>
              <NamesField
                id="check-models"
                label={t('channel.check.models')}
                value={models}
                set={names => setModels(names.slice(0, modelsMax))}
                options={offered}
              />
            </Box>
          </Box>
          <FeatureChips chosen={features} set={setFeatures} />
          <Alert severity="warning" variant="outlined">
            {t('channel.check.cost', { count: total })}
          </Alert>
          <Progress
            check={check}
            canStart={total > 0 && channel.key_count > 0}
            start={() => void check.start(models, features)}
          />
        </Stack>
      </Card>
      <Card
        title={t('channel.check.results')}
        intro={
          check.results === undefined &&
          last !== undefined &&
          last.at > 0 &&
          t('channel.check.last', { at: formatTime(last.at) })
        }
      >
        {results.length > 0 ? (
          <CheckGrid results={results} />
        ) : (
          <EmptyState title={t('channel.check.none')} />
        )}
      </Card>
    </Stack>
  )
}

type ProgressProps = { check: ReturnType<typeof useCheck>; canStart: boolean; start: () => void }

const Progress = ({ check, canStart, start }: ProgressProps) => {
  const t = useT()
  const { isRunning, total, stop } = check
  const done = check.results?.length ?? 0
  if (!isRunning)
    return (
      <Button
        variant="contained"
        disabled={!canStart}
        onClick={start}
        sx={{ alignSelf: 'flex-start' }}
      >
        {t('channel.check.start')}
      </Button>
    )
  return (
    <>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 2 }}>
        <Button variant="outlined" color="inherit" onClick={stop}>
          {t('channel.check.stop')}
        </Button>
        <Typography variant="body2" role="status" sx={{ color: 'text.secondary' }}>
          {t('channel.check.running', { done, total })}
        </Typography>
      </Stack>
      <Meter percent={(done / Math.max(1, total)) * 100} />
    </>
  )
}

type FeatureProps = {
  chosen: readonly CheckedFeature[]
  set: (features: CheckedFeature[]) => void
}

const FeatureChips = ({ chosen, set }: FeatureProps) => {
  const t = useT()
  const toggle = (feature: CheckedFeature) =>
    set(
      checkedFeatures.filter(each =>
        each === feature ? !chosen.includes(each) : chosen.includes(each),
      ),
    )
  return (
    <Box
      role="group"
      aria-label={t('channel.check.features')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}
    >
      {checkedFeatures.map(each => {
        const isChosen = chosen.includes(each)
        return (
          <Chip
            key={each}
            label={t(`channel.check.feature.${each}`)}
            variant="outlined"
            color={isChosen ? 'primary' : 'default'}
            {...(isChosen && { icon: <CheckIcon /> })}
            aria-pressed={isChosen}
            onClick={() => toggle(each)}
          />
        )
      })}
    </Box>
  )
}

type Running = { results: CheckResult[] | undefined; total: number; isRunning: boolean }

/** A check that runs while the page is open. Leaving the page stops it, as the button does. */
const useCheck = (id: number) => {
  const t = useT()
  const client = useQueryClient()
  const [state, setState] = useState<Running>({ results: undefined, total: 0, isRunning: false })
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const receive = (event: CheckEvent) => {
    if (event.type === 'error') notify.error(t(`faults.${event.data.code}`))
    if (event.type === 'result')
      setState(now => ({ ...now, results: [...(now.results ?? []), event.data] }))
  }
  const start = async (models: readonly string[], features: CheckedFeature[]) => {
    const abort = new AbortController()
    controller.current = abort
    setState({ results: [], total: models.length * features.length, isRunning: true })
    try {
      const input = { id, models: models.join(','), features }
      await streamEvents(api.channels.check, input, receive, abort.signal)
    } catch (error) {
      if (!abort.signal.aborted) notify.error(errorText(t, error).text)
    }
    setState(now => ({ ...now, isRunning: false }))
    await client.invalidateQueries({ queryKey: ['channels', 'lastCheck'] })
  }
  return { ...state, start, stop: () => controller.current?.abort() }
}
