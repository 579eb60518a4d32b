import type { Group } from '@hub/contract'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Stack from '@mui/material/Stack'
import type { ReactNode } from 'react'
import {
  CallPrice,
  ModelName,
  PriceAmount,
  type PriceView,
  secondPrices,
} from '../../domain/index.ts'
import { Badge, CopyButton, useT } from '../../ui/index.ts'
import { DescriptionSummary } from './description.tsx'
import { groupPrice, type ModelRow } from './rows.ts'

type Props = {
  row: ModelRow
  group: Group | undefined
  view: PriceView
  open: (row: ModelRow) => void
}

/** One model with its owner and the prices of the selected group. */
export const ModelCard = ({ row, group, view, open }: Props) => {
  const t = useT()
  const { description } = row
  const title = description?.name === row.model ? '' : description?.name
  return (
    <Box
      sx={{
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        gap: 1.25,
        p: 2,
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 1.5,
      }}
    >
      <Stack direction="row" spacing={0.5} sx={{ alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <ButtonBase
            onClick={() => open(row)}
            aria-label={t('models.details', { name: row.model })}
            sx={{
              font: 'inherit',
              fontWeight: 600,
              textAlign: 'left',
              overflowWrap: 'anywhere',
              borderRadius: 0.5,
              '&:hover': { textDecoration: 'underline' },
            }}
          >
            <ModelName name={row.model} />
          </ButtonBase>
          <Box sx={{ color: 'text.secondary', fontSize: 13 }}>
            {title && `${title} · `}
            {row.price_min ? t('models.byServing') : row.owned_by || '–'}
            {row.price.tiers && ` · ${t('models.long')}`}
          </Box>
        </Box>
        <CopyButton text={row.model} what={t('models.id')} />
      </Stack>
      {description && <DescriptionSummary description={description} />}
      <Box sx={{ mt: 'auto' }}>
        <Prices {...{ row, group, view }} />
      </Box>
    </Box>
  )
}

const Prices = ({ row: { price, price_min: least, groups }, group, view }: Omit<Props, 'open'>) => {
  const t = useT()
  if (!group || !groups.includes(group.symbol))
    return <Badge tone="gray" labelKey="models.notInGroup" />
  if (price.type === 'times')
    return (
      <Line label={t(secondPrices(price).length > 0 ? 'models.perSecond' : 'models.perCall')}>
        <CallPrice price={price} groupRatio={group.ratio} view={view} />
      </Line>
    )
  const amount = (ratio: number) => (
    <PriceAmount ratio={groupPrice(ratio, group)} byCall={false} view={view} />
  )
  // A candidate that is sold by the call has no price per token.
  const isRange = (side: 'input' | 'output') =>
    least?.type === 'tokens' && least[side] !== price[side]
  const range = (side: 'input' | 'output') =>
    isRange(side) ? (
      <span>
        {amount(least![side])} – {amount(price[side])}
      </span>
    ) : (
      amount(price[side])
    )
  return (
    <>
      <Line label={t('models.input')}>{range('input')}</Line>
      <Line label={t('models.output')}>{range('output')}</Line>
    </>
  )
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, fontSize: 14, py: 0.25 }}>
    <Box component="span" sx={{ color: 'text.secondary' }}>
      {label}
    </Box>
    {children}
  </Box>
)
