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

/** The state of a creation, kept in the tab until the channels are enabled or discarded. */
export const useCreateDraft = () => {
  const { id } = useUser()
  const [name] = useState(`new channel of ${id}`)
  const [draft, setDraft] = useState(() => ({ ...blank, ...readDraft<Draft>(name) }))
  const [isRestored] = useState(() => Object.keys(draft.values).length > 1)
  const change = (changed: Partial<Draft>) =>
    setDraft(now => {
      const next = { ...now, ...changed }
      writeDraft(name, next)
      return next
    })
  return { ...draft, isRestored, change, clear: () => clearDraft(name) }
}
