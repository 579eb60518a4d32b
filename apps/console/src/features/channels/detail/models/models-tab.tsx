import type { Channel } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../../api/index.ts'
import { Card, ErrorState, useAction, useT } from '../../../../ui/index.ts'
import { withoutModels } from '../../form/stored-text.ts'
import { TestProgress } from '../../testing/progress.tsx'
import { testableModels } from '../../testing/run-tests.ts'
import { useTests } from '../../testing/use-tests.ts'
import { rowsOf } from './model-rows.ts'
import { ModelTable } from './model-table.tsx'

type Removed = { model: string; before: Pick<Channel, 'models' | 'model_mapping'> }

/** The models of a channel: their names at the provider, their prices and their last tests. */
export const ModelsTab = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const { id, models, model_mapping } = channel
  const prices = useQuery(query(api.prices.list, {}))
  const tested = useQuery(query(api.channels.modelTests, { id }))
  const tests = useTests()
  const [removed, setRemoved] = useState<Removed>()
  const update = useAction(['channels', 'models', 'prices'], api.channels.update)
  const remove = async (model: string) => {
    const response = await update({ id, ...withoutModels(channel, [model]) })
    if (response) setRemoved({ model, before: { models, model_mapping } })
  }
  const undo = async () => {
    if (removed && (await update({ id, ...removed.before }))) setRemoved(undefined)
  }
  const error = prices.error ?? tested.error
  const retry = () => void Promise.all([prices.refetch(), tested.refetch()])
  const testable = testableModels(channel).map(model => ({ channelId: id, model }))
  return (
    <Stack spacing={2}>
      {removed && (
        <Alert
          severity="info"
          variant="outlined"
          role="status"
          action={
            <Button color="inherit" size="small" onClick={() => void undo()}>
              {t('channel.models.undo')}
            </Button>
          }
        >
          {t('channel.models.removed', { model: removed.model })}
        </Alert>
      )}
      <Card
        title={t('channel.models.title')}
        intro={t('channel.models.intro')}
        actions={
          <Button
            variant="outlined"
            color="inherit"
            disabled={tests.isRunning || testable.length === 0 || channel.key_count === 0}
            sx={{ flexShrink: 0 }}
            onClick={() => void tests.run(testable)}
          >
            {t('channel.models.testAll')}
          </Button>
        }
      >
        <TestProgress tests={tests} />
        {error ? (
          <ErrorState error={error} retry={retry} />
        ) : prices.data && tested.data ? (
          <ModelTable
            channel={channel}
            rows={rowsOf(channel, prices.data, tested.data)}
            tests={tests}
            isChanging={update.isPending}
            remove={remove}
          />
        ) : (
          <Skeleton variant="rounded" height={240} />
        )}
      </Card>
    </Stack>
  )
}
