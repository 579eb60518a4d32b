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
import { normalizePrice, sectionsFor, usePriceFields } from './fields.tsx'

const blank = { models: [], type: 'tokens' as const, channel_type: 1, input: 0, output: 0 }

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
      schema={ManyPrices}
      initialValues={stored ? { ...stored.price, models: stored.models } : blank}
      fieldOverrides={usePriceFields(view)}
      sections={sectionsFor('models')}
      transform={normalizePrice}
      submit={({ models, ...price }: ManyPrices) =>
        save.attempt({
          original_models: stored?.models ?? [],
          models,
          price: { ...price, model: 'batch' },
        })
      }
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
      schema={ManyScheduledPrices}
      initialValues={{ ...blank, at: midnight(1) }}
      fieldOverrides={usePriceFields(view)}
      sections={sectionsFor('models', ['at'])}
      transform={normalizePrice}
      submit={({ models, at, ...price }: ManyScheduledPrices) =>
        save.attempt({ models, at, price: { ...price, model: 'batch' } })
      }
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
