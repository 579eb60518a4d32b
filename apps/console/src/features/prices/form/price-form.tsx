import { Price, type PriceSuggestion } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { type PriceView, PriceViewToggle, useOwnPriceView } from '../../../domain/index.ts'
import { FormDialog, useAction, useT } from '../../../ui/index.ts'
import { sectionsFor, usePriceFields } from './fields.tsx'
import { isFree, priceOfForm, withFreeSwitch } from './free.ts'

const sections = sectionsFor('model')
const schema = withFreeSwitch(Price)

type Props = {
  /** Absent for a new price. */
  stored?: Price
  model?: string
  view: PriceView
  onClose: () => void
}

/** A new price of a known model begins with the suggested one. */
export const PriceForm = (props: Props) => {
  const { stored, model = '' } = props
  const { data, isLoading } = useQuery({
    ...query(api.prices.suggest, { models: [model], from_list: false, unpriced_only: false }),
    enabled: stored === undefined && model !== '',
  })
  if (isLoading) return null
  return <Form {...props} suggestion={data?.[0]} />
}

type SuggestedFormProps = Props & { suggestion: PriceSuggestion | undefined }

const Form = ({
  stored,
  model = '',
  view: initialView,
  onClose,
  suggestion,
}: SuggestedFormProps) => {
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
          {suggestion?.price && <SuggestedFrom suggestion={suggestion} />}
        </Box>
      }
      schema={schema}
      initialValues={
        stored
          ? { ...stored, free: isFree(stored) }
          : { model, type: 'tokens', channel_type: 1, ...suggested(suggestion) }
      }
      fieldOverrides={fields}
      sections={sections}
      submit={values => submit(priceOfForm(values))}
    />
  )
}

const suggested = (suggestion: PriceSuggestion | undefined) =>
  suggestion?.price ? { ...suggestion.price, free: isFree(suggestion.price) } : {}

/** Names the page that the suggested price is from. */
const SuggestedFrom = ({ suggestion: { source, date, note } }: { suggestion: PriceSuggestion }) => {
  const t = useT()
  return (
    <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1, overflowWrap: 'anywhere' }}>
      {t('prices.suggested', { date })}{' '}
      <Link href={source} target="_blank" rel="noreferrer">
        {new URL(source).host}
      </Link>
      {note && `. ${note}`}
    </Typography>
  )
}
