import type { Price } from '@hub/contract'
import { useState } from 'react'
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx'
import { useT } from '../../../ui/index.ts'
import { type BilledModel, useFindUndecided } from './use-unpriced.ts'

/** Names that fit into a sentence. */
const namesMax = 5

/** Saves at once where every model has a price or a choice. Else the dialog says what happens to the others first. */
export const useAskUnpriced = (save: () => Promise<void>) => {
  const t = useT()
  const find = useFindUndecided()
  const [names, setNames] = useState<readonly string[]>([])
  const ask = async (models: readonly BilledModel[], prices: readonly Price[]) => {
    // Without an answer the server would refuse to save as well, and says why.
    const found = await find(models, prices).catch(() => [])
    if (found.length === 0) return save()
    setNames(found)
  }
  const shown = names.slice(0, namesMax).join(', ') + (names.length > namesMax ? ', …' : '')
  const dialog = (
    <ConfirmDialog
      open={names.length > 0}
      danger={false}
      title={t('channels.unpriced.question.title', { count: names.length })}
      text={t('channels.unpriced.question.text', { names: shown })}
      confirmLabel={t('channels.unpriced.question.action')}
      onConfirm={save}
      onClose={() => setNames([])}
    />
  )
  return { ask, dialog }
}
