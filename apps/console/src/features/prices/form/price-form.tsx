import { Price } from '@hub/contract'
import Box from '@mui/material/Box'
import { useState } from 'react'
import { api, useAction } from '../../../api/index.ts'
import { FormDialog, useT, type View, ViewToggle } from '../../../ui/index.ts'
import { sectionsFor, tidied, usePriceFields } from './fields.tsx'

const sections = sectionsFor('model')

type Props = {
  /** Absent: a new price. */
  stored?: Price
  model?: string
  view: View
  onClose: () => void
}

export const PriceForm = ({ stored, model = '', view: initialView, onClose }: Props) => {
  const t = useT()
  const [view, setView] = useState(initialView)
  const create = useAction(['prices', 'models'], api.prices.create, { done: 'prices.created' })
  const update = useAction(['prices', 'models'], api.prices.update, { done: 'prices.saved' })
  const fields = usePriceFields(view)
  const submit = (price: Price) =>
    stored ? update.attempt({ ...price, name: stored.model }) : create.attempt(price)
  const title = stored ? t('prices.edit', { name: stored.model }) : t('prices.create')
  return (
    <FormDialog
      of="prices"
      open
      onClose={onClose}
      title={title}
      verb={stored ? t('prices.save') : title}
      intro={
        <Box sx={{ mb: 2 }}>
          <ViewToggle view={view} setView={setView} />
        </Box>
      }
      schema={Price}
      initial={stored ?? { model, type: 'tokens', channel_type: 1, input: 0, output: 0 }}
      fields={fields}
      sections={sections}
      transform={tidied}
      submit={submit}
    />
  )
}

/** The first price of an installation, in the unit that vendors publish. */
export const FirstPrice = ({ model, onClose }: { model: string; onClose: () => void }) => (
  <PriceForm model={model} view={{ unit: 'usd', scale: 'm' }} onClose={onClose} />
)
