import type { BatchRefusal } from '@hub/contract'
import { useState } from 'react'
import { errorText, isApiError } from '../../../api/index.ts'
import { notify, useAction, useT } from '../../../ui/index.ts'

/** The changes that need values first. */
export type BatchForm = 'models' | 'groups' | 'version'

/** Changes the channels with these ids. Resolves with the number of changed ones. */
export type BatchCall = (ids: number[]) => Promise<number>

export type Refusals = {
  refused: readonly BatchRefusal[]
  /** The chosen channels that did not refuse. */
  others: readonly number[]
  /** Makes the change in the others alone. */
  retry: () => Promise<boolean>
}

/** Runs a change of many channels. Where some refuse, nothing has changed, and `refusals` lists them. */
export const useBatch = (done: () => void) => {
  const t = useT()
  const [refusals, setRefusals] = useState<Refusals>()
  const action = useAction(
    ['channels', 'models', 'prices'],
    ({ ids, call }: { ids: number[]; call: BatchCall }) => call(ids),
  )
  /** Resolves with true unless the call failed for another reason than a refusal. */
  const run = async (ids: readonly number[], call: BatchCall): Promise<boolean> => {
    try {
      const count = await action.attempt({ ids: [...ids], call })
      notify.success(t('channels.batch.changed', { count }))
      setRefusals(undefined)
      done()
      return true
    } catch (error) {
      if (isApiError(error) && error.code === 'channel.batch_refused') {
        const refused = error.data as BatchRefusal[]
        const others = ids.filter(id => !refused.some(each => each.id === id))
        setRefusals({ refused, others, retry: () => run(others, call) })
        return true
      }
      const { kind, text } = errorText(t, error)
      notify[kind](text)
      return false
    }
  }
  return { run, refusals, dismiss: () => setRefusals(undefined) }
}
