import { Price } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../../api/index.ts'
import { type PriceView, PriceViewToggle, useOwnPriceView } from '../../../domain/index.ts'
import { FormDialog, useAction, useT } from '../../../ui/index.ts'
import { normalizePrice, sectionsFor, usePriceFields } from './fields.tsx'

const sections = sectionsFor('model')

type Props = {
  /** Absent for a new price. */
  stored?: Price
  model?: string
  view: PriceView
  onClose: () => void
}

export const PriceForm = ({ stored, model = '', view: initialView, onClose }: Props) => {
  const t = useT()
  const [view, setView] = useOwnPriceView(initialView)
  const create = useAction(['prices', 'models'], api.prices.create, {
    successKey: 'prices.created',
  })
  const update = useAction(['prices', 'models'], api.prices.update, { successKey: 'prices.saved' })
  const fields = usePriceFields(view)
  const submit = (price: Price) =>
    stored ? update.attempt({ ...price, name: stored.model }) : create.attempt(price)
  const title = stored ? t('prices.edit', { name: stored.model }) : t('prices.create')
  return (
    <FormDialog
      resource="prices"
      open
      onClose={onClose}
      title={title}
      submitLabel={stored ? t('prices.save') : title}
      intro={
        <Box sx={{ mb: 2 }}>
          <PriceViewToggle view={view} setView={setView} />
        </Box>
      }
      schema={Price}
      initialValues={stored ?? { model, type: 'tokens', channel_type: 1, input: 0, output: 0 }}
      fieldOverrides={fields}
      sections={sections}
      transform={normalizePrice}
      submit={submit}
    />
  )
}

/** The first price of an installation, in dollars per million tokens as providers publish it. */
export const FirstPrice = ({ model, onClose }: { model: string; onClose: () => void }) => (
  <PriceForm model={model} view={{ unit: 'usd', scale: 'm' }} onClose={onClose} />
)
