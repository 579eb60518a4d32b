import type { Price } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../api/index.ts'
import { type FieldLook, useT, type View, viewFor } from '../../../ui/index.ts'
import { AmountField } from './amount-field.tsx'
import { ExtrasField } from './extras-field.tsx'
import { TiersField } from './tiers-field.tsx'
import { ToolsField } from './tools-field.tsx'

const isByCall = (values: Record<string, unknown>) => values.type === 'times'
const byTokens = (values: Record<string, unknown>) => !isByCall(values)

/** How each part of a price is asked, of one model or of many. */
export const usePriceFields = (view: View): Record<string, FieldLook> => {
  const t = useT()
  const { data: owners = [] } = useQuery(query(api.owners.list))
  const { data: inUse = [] } = useQuery(query(api.prices.models))
  const amount: FieldLook['render'] = ({ id, described, error, value, set, values }) => {
    const byCall = isByCall(values)
    return (
      <AmountField
        {...{ id, described, set, byCall }}
        invalid={Boolean(error)}
        value={typeof value === 'number' ? value : undefined}
        view={viewFor(byCall, view)}
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
    input: { render: amount },
    output: { render: amount, show: byTokens },
    extra_ratios: {
      show: byTokens,
      render: ({ id, value, set }) => (
        <ExtrasField {...{ id, set }} value={value as Price['extra_ratios']} />
      ),
    },
    tiers: {
      show: byTokens,
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
  { id: 'price', fields: [name, ...more, 'type', 'channel_type', 'input', 'output', 'locked'] },
  { id: 'extras', fields: ['extra_ratios'], folded: true },
  { id: 'tiers', fields: ['tiers'], folded: true },
  { id: 'tools', fields: ['tool_prices'], folded: true },
]

type Sides = Pick<Price, 'type' | 'input' | 'output' | 'extra_ratios' | 'tiers'>

/** A price by the call has one side: the other is kept equal, as One Hub reads it. */
export const tidied = <P extends Sides>(price: P): P =>
  price.type === 'times'
    ? { ...price, output: price.input, extra_ratios: null, tiers: null }
    : price
