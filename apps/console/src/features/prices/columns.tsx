import type { Owner, Price } from '@hub/contract'
import LockIcon from '@mui/icons-material/LockOutlined'
import Box from '@mui/material/Box'
import Tooltip from '@mui/material/Tooltip'
import {
  Badge,
  type Column,
  formatCount,
  PriceAmount,
  priceText,
  useT,
  type View,
} from '../../ui/index.ts'
import { toolName } from './tools.ts'

const Model = ({ price }: { price: Price }) => (
  <Box
    component="span"
    sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.75, fontWeight: 500 }}
  >
    {price.model}
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

type Side = { price: Price; side: 'input' | 'output'; view: View }

/** One side of a price; a price by the call has one. */
export const Amount = ({ price, side, view }: Side) => {
  const byCall = price.type === 'times'
  if (byCall && side === 'output') return <>–</>
  return <PriceAmount ratio={price[side]} byCall={byCall} view={view} />
}

/** What a price says besides its two sides: ratios, tiers, prices of tools. */
export const Extras = ({ price, view }: { price: Price; view: View }) => {
  const t = useT()
  const said = [
    ...Object.entries(price.extra_ratios ?? {}).map(
      ([key, ratio]) => `${t(`prices.extras.${key}`)} × ${ratio}`,
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
  if (said.length === 0) return <Box sx={{ color: 'text.secondary' }}>{t('common.none')}</Box>
  return (
    <Box sx={{ display: 'flex', gap: 0.5, flexWrap: 'wrap', py: 0.5 }}>
      {said.map(each => (
        <Badge key={each} text={each} />
      ))}
    </Box>
  )
}

type Owners = ReadonlyMap<number, Owner>

export const OwnerName = ({ id, owners }: { id: number; owners: Owners }) => {
  const t = useT()
  return owners.get(id)?.name || <Badge tone="amber" text={t('prices.unknownOwner', { id })} />
}

export const TypeBadge = ({ type }: { type: Price['type'] }) => (
  <Badge tone={type === 'times' ? 'violet' : 'blue'} label={`prices.options.type.${type}`} />
)

export const columnsFor = (view: View, owners: Owners): Column<Price>[] => [
  { key: 'model', sort: true, show: row => <Model price={row} /> },
  {
    key: 'channel_type',
    sort: true,
    show: row => <OwnerName id={row.channel_type} owners={owners} />,
  },
  { key: 'type', sort: true, show: row => <TypeBadge type={row.type} /> },
  {
    key: 'input',
    sort: true,
    align: 'right',
    show: row => <Amount price={row} side="input" view={view} />,
  },
  {
    key: 'output',
    sort: true,
    align: 'right',
    show: row => <Amount price={row} side="output" view={view} />,
  },
  { key: 'extra_ratios', show: row => <Extras price={row} view={view} /> },
]
