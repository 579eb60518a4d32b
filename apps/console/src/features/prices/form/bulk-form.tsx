import { ManyPrices, ManyScheduledPrices, type Price } from '@hub/contract'
import Box from '@mui/material/Box'
import { api } from '../../../api/index.ts'
import {
  type PriceView,
  PriceViewToggle,
  type SetPriceView,
  useOwnPriceView,
} from '../../../domain/index.ts'
import { FormDialog, midnight, useAction, useT } from '../../../ui/index.ts'
import { sectionsFor, usePriceFields } from './fields.tsx'
import { isFree, priceOfForm, withFreeSwitch } from './free.ts'

const blank = { models: [], type: 'tokens' as const, channel_type: 1 }
const manySchema = withFreeSwitch(ManyPrices)
const scheduledSchema = withFreeSwitch(ManyScheduledPrices)

type BulkPriceFormProps = {
  /** Models that share a price; absent for new prices. */
  stored?: { models: string[]; price: Price }
  view: PriceView
  onClose: () => void
}

/** Sets one price for many models. */
export const BulkPriceForm = ({ stored, view: initialView, onClose }: BulkPriceFormProps) => {
  const t = useT()
  const [view, setView] = useOwnPriceView(initialView)
  const save = useAction(['prices', 'models'], api.prices.multiple, {
    successKey: 'prices.bulk.saved',
  })
  const title = stored
    ? t('prices.bulk.edit', { count: stored.models.length })
    : t('prices.bulk.create')
  return (
    <FormDialog
      resource="prices"
      open
      onClose={onClose}
      title={title}
      submitLabel={stored ? t('prices.save') : title}
      intro={<Intro {...{ view, setView }} text={stored && t('prices.bulk.hint')} />}
      schema={manySchema}
      initialValues={
        stored ? { ...stored.price, models: stored.models, free: isFree(stored.price) } : blank
      }
      fieldOverrides={usePriceFields(view)}
      sections={sectionsFor('models')}
      submit={values => {
        const { models, ...price } = priceOfForm(values)
        return save.attempt({
          original_models: stored?.models ?? [],
          models,
          price: { ...price, model: 'batch' },
        })
      }}
    />
  )
}

/** Sets a price that takes effect at a later time. */
export const ScheduledPriceForm = ({
  view: initialView,
  onClose,
}: {
  view: PriceView
  onClose: () => void
}) => {
  const t = useT()
  const [view, setView] = useOwnPriceView(initialView)
  const save = useAction('prices', api.prices.schedule, { successKey: 'prices.schedule.saved' })
  const title = t('prices.schedule.create')
  return (
    <FormDialog
      resource="prices"
      open
      onClose={onClose}
      title={title}
      submitLabel={title}
      intro={<Intro {...{ view, setView }} />}
      schema={scheduledSchema}
      initialValues={{ ...blank, at: midnight(1) }}
      fieldOverrides={usePriceFields(view)}
      sections={sectionsFor('models', ['at'])}
      submit={values => {
        const { models, at, ...price } = priceOfForm(values)
        return save.attempt({ models, at, price: { ...price, model: 'batch' } })
      }}
    />
  )
}

type IntroProps = { view: PriceView; setView: SetPriceView; text?: string | undefined }

const Intro = ({ view, setView, text }: IntroProps) => (
  <Box sx={{ mb: 2 }}>
    {text && <Box sx={{ color: 'text.secondary', fontSize: 13, mb: 1.5 }}>{text}</Box>}
    <PriceViewToggle view={view} setView={setView} />
  </Box>
)
