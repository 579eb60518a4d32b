import { useEffect, useState } from 'react'
import { clearDraft, readDraft, writeDraft } from '../../stored-draft.ts'
import type { Values } from '../types.ts'
import type { FormControl } from '../use-schema-form.ts'

type Draft = {
  name: string
  /** The values of the untouched form. Only other values are stored. */
  initial: Values
  /** Fields whose values are never stored. */
  secrets: readonly string[]
}

/** Keeps the changed values of a form through a reload, until they are saved or discarded. */
export const useFormDraft = ({ form }: FormControl, { name, initial, secrets }: Draft) => {
  const [isRestored, setRestored] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form has one draft, which is read once
  useEffect(() => {
    const stored = Object.entries(readDraft<Values>(name) ?? {}).filter(([key]) => key in initial)
    for (const [key, value] of stored) form.setValue(key, value, { shouldDirty: true })
    setRestored(stored.length > 0)
    const { unsubscribe } = form.watch(values => {
      const changed = changedValues(initial, values).filter(([key]) => !secrets.includes(key))
      if (changed.length > 0) writeDraft(name, Object.fromEntries(changed))
      else clearDraft(name)
    })
    return unsubscribe
  }, [])
  const values = form.watch()
  return {
    isRestored,
    /** A secret was typed, which a reload loses. */
    hasSecret: changedValues(initial, values).some(([key]) => secrets.includes(key)),
    discard: () => {
      form.reset(initial)
      clearDraft(name)
      setRestored(false)
    },
  }
}

const changedValues = (initial: Values, values: Values) =>
  Object.entries(values).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(initial[key]),
  )
