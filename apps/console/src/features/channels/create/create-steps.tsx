import type { Channel } from '@hub/contract'
import Skeleton from '@mui/material/Skeleton'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { useAction } from '../../../ui/index.ts'
import { affectedResources } from '../form/channel-form.tsx'
import { useProviders } from '../queries.ts'
import { useCreateDraft } from './draft.ts'
import { FieldSteps } from './field-steps.tsx'
import { StepList } from './step-list.tsx'
import { TestStep } from './test-step.tsx'

type Props = {
  /** The channels are enabled, or stay disabled; there is none after a discarded draft. */
  onFinish: (channels: readonly Channel[]) => void
  /** The level of headings below the title. */
  heading: 'h2' | 'h3'
}

/** Creates channels in three steps: the account, its models, and a test before the first call. */
export const CreateSteps = ({ onFinish, heading }: Props) => {
  const client = useQueryClient()
  const providers = useProviders()
  const draft = useCreateDraft()
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
  return (
    <>
      <StepList current={step} open={next => draft.change({ step: next })} />
      {step === 3 ? (
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
    </>
  )
}

/** The channels of a draft that still exist. Undefined until they are loaded. */
const useStored = (ids: readonly number[]): readonly Channel[] | undefined => {
  const results = useQueries({ queries: ids.map(id => query(api.channels.get, { id })) })
  if (results.some(each => each.isPending)) return undefined
  return results.flatMap(each => (each.data ? [each.data as Channel] : []))
}
