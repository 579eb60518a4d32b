import { isPriceMode, type Price } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { useRightRefusal } from '../../../api/site.ts'
import { type PriceView, priceViewFor } from '../../../domain/index.ts'
import { AmountField } from '../../../domain/prices/amount-field.tsx'
import { type FieldOverride, useT } from '../../../ui/index.ts'
import { ExtrasField } from './extras-field.tsx'
import { TiersField } from './tiers-field.tsx'
import { ToolsField } from './tools-field.tsx'

const isByCall = (values: Record<string, unknown>) => values.type === 'times'
const byTokens = (values: Record<string, unknown>) => !isByCall(values)
const isPaid = (values: Record<string, unknown>) => values.free !== true

/** The controls for the parts of a price, shared by the forms for one model and for many. */
export const usePriceFields = (view: PriceView): Record<string, FieldOverride> => {
  const t = useT()
  const refusal = useRightRefusal('free_prices')
  const { data: owners = [] } = useQuery(query(api.owners.list))
  const { data: inUse = [] } = useQuery(query(api.prices.models))
  const amount: FieldOverride['render'] = ({ id, describedBy, error, value, set, values }) => {
    const byCall = isByCall(values)
    return (
      <AmountField
        {...{ id, describedBy, set, byCall }}
        invalid={Boolean(error)}
        value={typeof value === 'number' ? value : undefined}
        view={priceViewFor(byCall, view)}
      />
    )
  }
  return {
    models: { as: 'tags', options: inUse.map(model => ({ value: model, label: model })) },
    channel_type: {
      as: 'select',
      options: owners.map(({ id, name }) => ({
        value: id,
        label: name || t('prices.unknownOwner', { id }),
      })),
    },
    free: { note: values => values.free === true && refusal },
    input: { render: amount, showWhen: isPaid },
    output: { render: amount, showWhen: values => isPaid(values) && byTokens(values) },
    extra_ratios: {
      render: ({ id, value, set, values }) => (
        <ExtrasField
          {...{ id, set }}
          value={value as Price['extra_ratios']}
          byCall={isByCall(values)}
        />
      ),
    },
    tiers: {
      showWhen: byTokens,
      render: ({ id, value, set, values }) => (
        <TiersField
          {...{ id, set, view }}
          value={value as Price['tiers']}
          base={{ input: values.input, output: values.output }}
        />
      ),
    },
    tool_prices: {
      render: ({ id, value, set }) => (
        <ToolsField {...{ id, set }} value={value as Price['tool_prices']} />
      ),
    },
    at: { as: 'time' },
  }
}

export const sectionsFor = (name: 'model' | 'models', more: string[] = []) => [
  {
    id: 'price',
    fields: [name, ...more, 'type', 'channel_type', 'free', 'input', 'output', 'locked'],
  },
  { id: 'extras', fields: ['extra_ratios'], folded: true },
  { id: 'tiers', fields: ['tiers'], folded: true },
  { id: 'tools', fields: ['tool_prices'], folded: true },
]

type Sides = Pick<Price, 'type' | 'input' | 'output' | 'extra_ratios' | 'tiers'>

/** A price per call has one side; One Hub stores an equal output price. */
export const normalizePrice = <P extends Sides>(price: P): P =>
  price.type === 'times'
    ? { ...price, output: price.input, extra_ratios: modesIn(price), tiers: null }
    : price

/** The ratios of tiers, speeds and regions, which multiply a price per call too. */
const modesIn = ({ extra_ratios }: Sides): Price['extra_ratios'] => {
  const modes = Object.entries(extra_ratios ?? {}).filter(([key]) => isPriceMode(key))
  return modes.length > 0 ? Object.fromEntries(modes) : null
}
