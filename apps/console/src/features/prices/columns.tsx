import LockIcon from 'virtual:icons/lock'
import type { Owner, Price } from '@hub/contract'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import {
  CallPrice,
  ModelName,
  PriceAmount,
  type PriceView,
  ProviderMark,
  priceText,
  priceViewFor,
  secondPrices,
  toolName,
} from '../../domain/index.ts'
import { Badge, type Column, formatCount, useT } from '../../ui/index.ts'

const nameStyles = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.75,
  verticalAlign: 'top',
}

const Model = ({ price }: { price: Price }) => (
  <Box component="span" sx={{ ...nameStyles, fontWeight: 500, minWidth: { sm: 170 } }}>
    <ModelName name={price.model} />
    {price.locked && <Locked />}
  </Box>
)

export const Locked = () => {
  const t = useT()
  return (
    <Tooltip title={t('prices.lockedHint')}>
      <LockIcon
        titleAccess={t('prices.fields.locked')}
        sx={{ fontSize: 15, color: 'text.secondary' }}
      />
    </Tooltip>
  )
}

type Side = { price: Price; side: 'input' | 'output'; view: PriceView }

/** The input or output price; a price per call has only one side. */
export const Amount = ({ price, side, view }: Side) => {
  const byCall = price.type === 'times'
  if (byCall && side === 'output') return <>–</>
  if (byCall) return <CallPrice price={price} view={view} />
  return <PriceAmount ratio={price[side]} byCall={false} view={view} />
}

/** The text of that price; undefined where there is none. */
export const amountText = ({ price, side, view }: Side): string | undefined =>
  (price.type === 'times' && side === 'output') || secondPrices(price).length > 0
    ? undefined
    : priceText(price[side], priceViewFor(price.type === 'times', view))

/** The other parts of a price: extra ratios, tiers and tool prices. */
export const Extras = ({ price, view }: { price: Price; view: PriceView }) => {
  const t = useT()
  const labels = [
    ...Object.entries(price.extra_ratios ?? {}).map(
      ([key, ratio]) => `${t(`usage.keys.${key}`)} × ${ratio}`,
    ),
    ...(price.tiers ?? []).map(({ above, input, output }) =>
      t('prices.tier.text', {
        above: formatCount(above),
        input: priceText(input, view) ?? t('prices.free'),
        output: priceText(output, view) ?? t('prices.free'),
      }),
    ),
    ...Object.entries(price.tool_prices ?? {}).map(([kind, usd]) => `${toolName(t, kind)} $${usd}`),
  ]
  if (labels.length === 0) return <Box sx={{ color: 'text.secondary' }}>{t('common.none')}</Box>
  return (
    <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap', py: 0.5 }}>
      {labels.map(each => (
        <Badge key={each} text={each} />
      ))}
    </Box>
  )
}

type Owners = ReadonlyMap<number, Owner>

export const OwnerName = ({ id, owners }: { id: number; owners: Owners }) => {
  const t = useT()
  const owner = owners.get(id)
  if (!owner?.name) return <Badge tone="amber" text={t('prices.unknownOwner', { id })} />
  return (
    <Box component="span" sx={nameStyles}>
      <ProviderMark type={id} name={owner.name} icon={owner.icon} size={16} />
      {owner.name}
    </Box>
  )
}

export const TypeBadge = ({ type }: { type: Price['type'] }) => (
  <Badge tone={type === 'times' ? 'violet' : 'blue'} labelKey={`prices.options.type.${type}`} />
)

export const columnsFor = (view: PriceView, owners: Owners): Column<Price>[] => [
  { key: 'model', sort: true, render: row => <Model price={row} /> },
  {
    key: 'channel_type',
    sort: true,
    render: row => <OwnerName id={row.channel_type} owners={owners} />,
  },
  { key: 'type', sort: true, render: row => <TypeBadge type={row.type} /> },
  {
    key: 'input',
    sort: true,
    align: 'right',
    amount: row => amountText({ price: row, side: 'input', view }),
    render: row => <Amount price={row} side="input" view={view} />,
  },
  {
    key: 'output',
    sort: true,
    align: 'right',
    amount: row => amountText({ price: row, side: 'output', view }),
    render: row => <Amount price={row} side="output" view={view} />,
  },
  { key: 'extra_ratios', render: row => <Extras price={row} view={view} /> },
]
