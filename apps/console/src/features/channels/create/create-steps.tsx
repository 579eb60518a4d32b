import type { Channel, Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, startTransition, useId } from 'react'
import { api, query } from '../../../api/index.ts'
import { useAction, useT } from '../../../ui/index.ts'
import { affectedResources, useProviders } from '../queries.ts'
import { useCreateDraft } from './draft.ts'
import { StepList } from './step-list.tsx'
import { TypeGrid } from './type-grid.tsx'

// The form is large: the choice of a provider is on screen before it is loaded.
const FieldSteps = lazy(async () => ({
  default: (await import('./field-steps.tsx')).FieldSteps,
}))
const TestStep = lazy(async () => ({ default: (await import('./test-step.tsx')).TestStep }))

type Props = {
  /** The channels are enabled, or stay disabled; there is none after a discarded draft. */
  onFinish: (channels: readonly Channel[]) => void
  /** The level of headings below the title. */
  heading: 'h2' | 'h3'
  /** A stored channel whose creation continues, unless the tab has a draft. */
  channelId?: number
}

/** Creates channels in three steps: the account, its models, and a test before the first call. */
export const CreateSteps = ({ onFinish, heading, channelId }: Props) => {
  const client = useQueryClient()
  const providers = useProviders()
  const draft = useCreateDraft(channelId)
  const stored = useStored(draft.ids)
  const removeMany = useAction(affectedResources, api.channels.removeMany)
  if (providers.length === 0 || !stored) return <Skeleton variant="rounded" height={480} />

  const onStored = (channels: readonly Channel[]) => {
    for (const each of channels)
      client.setQueryData(query(api.channels.get, { id: each.id }).queryKey, each)
    draft.change({
      step: 3,
      ids: channels.map(each => each.id),
      isTestDue: true,
      // From now on the fields begin with what is stored.
      values: {},
    })
  }
  const discard = async () => {
    const ids = stored.map(each => each.id)
    if (ids.length > 0 && (await removeMany({ ids })) === undefined) return
    draft.clear()
    onFinish([])
  }
  const step = stored.length > 0 || draft.step !== 3 ? draft.step : 2
  const isTypeChosen = stored.length > 0 || draft.values.type !== undefined
  return (
    <>
      <StepList current={step} open={next => draft.change({ step: next })} />
      <Suspense fallback={<Skeleton variant="rounded" height={480} />}>
        {!isTypeChosen ? (
          <FirstChoice
            providers={providers}
            choose={type => startTransition(() => draft.change({ values: { type } }))}
          />
        ) : step === 3 ? (
          <TestStep
            draft={draft}
            channels={stored}
            discard={discard}
            onFinish={() => onFinish(stored)}
          />
        ) : (
          <FieldSteps
            key={stored.map(each => each.id).join()}
            {...{ draft, stored, heading, onStored, discard }}
          />
        )}
      </Suspense>
    </>
  )
}

type FirstChoiceProps = { providers: readonly Provider[]; choose: (type: number) => void }

/** The grid of types alone, before one is chosen. */
const FirstChoice = ({ providers, choose }: FirstChoiceProps) => {
  const t = useT()
  const id = useId()
  const label = t('channels.fields.type')
  return (
    <Box sx={{ pb: 2.5 }}>
      <Box
        component="label"
        htmlFor={id}
        sx={{ display: 'block', fontSize: 13, fontWeight: 500, mb: 0.5 }}
      >
        {label}
      </Box>
      <TypeGrid {...{ id, label, providers }} value={0} onSelect={({ type }) => choose(type)} />
    </Box>
  )
}

/** The channels of a draft that still exist. Undefined until they are loaded. */
const useStored = (ids: readonly number[]): readonly Channel[] | undefined => {
  const results = useQueries({ queries: ids.map(id => query(api.channels.get, { id })) })
  if (results.some(each => each.isPending)) return undefined
  return results.flatMap(each => (each.data ? [each.data as Channel] : []))
}
