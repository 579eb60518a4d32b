import { useState } from 'react'
import { useUser } from '../../../api/index.ts'
import { clearDraft, readDraft, writeDraft } from '../../../ui/stored-draft.ts'
import type { ChannelValues } from '../form/channel-values.ts'

export type StepNumber = 1 | 2 | 3

type Draft = {
  step: StepNumber
  /** The typed values without secrets. */
  values: Partial<ChannelValues>
  /** Channels that the server has already, disabled until they are tested. */
  ids: readonly number[]
  /** They changed since their last test. */
  isTestDue: boolean
}

const blank: Draft = { step: 1, values: {}, ids: [], isTestDue: false }

export type CreateDraft = ReturnType<typeof useCreateDraft>

/**
 * The state of a creation, kept in the tab until the channels are enabled or discarded. Without a draft it continues with
 * the test of a stored channel, if one is given.
 */
export const useCreateDraft = (channelId?: number) => {
  const { id } = useUser()
  const [name] = useState(`new channel of ${id}`)
  const [draft, setDraft] = useState(() => ({
    ...blank,
    ...(readDraft<Draft>(name) ??
      (channelId && { step: 3 as const, ids: [channelId], isTestDue: true })),
  }))
  const [isRestored] = useState(() => Object.keys(draft.values).length > 1)
  const change = (changed: Partial<Draft>) =>
    setDraft(now => {
      const next = { ...now, ...changed }
      writeDraft(name, next)
      return next
    })
  return { ...draft, isRestored, change, clear: () => clearDraft(name) }
}
