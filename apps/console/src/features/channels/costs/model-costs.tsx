import type { ModelCost, PriceSides } from '@hub/contract'
import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { visuallyHidden } from '@mui/utils'
import { useDeferredValue } from 'react'
import { ModelName } from '../../../domain/index.ts'
import { useT } from '../../../ui/index.ts'
import { currencyText, marginText } from './amount.tsx'

type SideName = keyof PriceSides
const columns = ['side', 'cost', 'price', 'margin'] as const

/** More than a screen has. The others are rendered after the first paint: a channel may have hundreds of models. */
const firstModels = 40

/** Cost, selling price and margin of each model, a line for each side of its price. */
export const ModelCosts = ({ models }: { models: readonly ModelCost[] }) => {
  const t = useT()
  const isPhone = useMediaQuery('(max-width: 899.95px)')
  const shown = useDeferredValue(models, models.slice(0, firstModels))
  return (
    <Table
      size="small"
      sx={{
        '& td, & th': { py: 0.5, fontSize: 13, px: { xs: 1, md: 2 } },
        '& td:first-of-type, & th:first-of-type': { pl: 2.5 },
        '& td:last-of-type, & th:last-of-type': { pr: 2.5 },
        '& tbody:last-of-type tr:last-of-type > *, & tbody:last-of-type th': { borderBottom: 0 },
      }}
    >
      <caption style={visuallyHidden as object}>{t('channel.costs.models')}</caption>
      <TableHead>
        <TableRow>
          {!isPhone && <TableCell>{t('channel.costs.columns.model')}</TableCell>}
          {columns.map(each => (
            <TableCell key={each} align={each === 'side' ? 'left' : 'right'}>
              {each === 'side' ? (
                <Box component="span" sx={visuallyHidden}>
                  {t('channel.costs.columns.side')}
                </Box>
              ) : (
                t(`channel.costs.columns.${each}`)
              )}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      {shown.map(each => (
        <ModelRows key={each.model} model={each} isPhone={isPhone} />
      ))}
    </Table>
  )
}

type RowsProps = { model: ModelCost; isPhone: boolean }

const ModelRows = ({ model, isPhone }: RowsProps) => {
  const sides = sidesOf(model)
  const line = (side: SideName, isLast: boolean) => (
    <SideCells key={side} model={model} side={side} isLast={isLast} />
  )
  if (isPhone)
    return (
      <TableBody>
        <TableRow>
          <TableCell
            component="th"
            scope="rowgroup"
            colSpan={columns.length}
            sx={{ borderBottom: 0 }}
          >
            <Named model={model} />
          </TableCell>
        </TableRow>
        {sides.map((side, at) => (
          <TableRow key={side}>{line(side, at === sides.length - 1)}</TableRow>
        ))}
      </TableBody>
    )
  return (
    <TableBody>
      {sides.map((side, at) => (
        <TableRow key={side}>
          {at === 0 && (
            <TableCell
              component="th"
              scope="rowgroup"
              rowSpan={sides.length}
              sx={{ verticalAlign: 'top' }}
            >
              <Named model={model} />
            </TableCell>
          )}
          {line(side, at === sides.length - 1)}
        </TableRow>
      ))}
    </TableBody>
  )
}

/** A price per call has one side. A model without cost and price has one line that says so. */
const sidesOf = ({ cost, price }: ModelCost): SideName[] =>
  (['input', 'output', 'cached'] as const).filter(
    side => side === 'input' || (cost?.[side] ?? price?.[side] ?? null) !== null,
  )

const Named = ({ model: { model, upstream_model, source } }: { model: ModelCost }) => {
  const t = useT()
  return (
    <>
      <Box sx={{ fontWeight: 500 }}>
        <ModelName name={model} />
      </Box>
      <Typography
        variant="caption"
        component="div"
        sx={{ color: source === 'unknown' ? 'warning.main' : 'text.secondary' }}
      >
        {t(`channel.costs.sources.${source}`)}
        {upstream_model !== model && ` · ${t('channel.models.mapped', { target: upstream_model })}`}
      </Typography>
    </>
  )
}

type SideProps = { model: ModelCost; side: SideName; isLast: boolean }

const SideCells = ({ model, side, isLast }: SideProps) => {
  const t = useT()
  const { cost, price, currency, margin } = model
  const percent = margin[side]
  const isBelow = percent !== null && percent < 0
  const isPerCall = (cost ?? price)?.output === null
  const cell = {
    ...{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' },
    ...(!isLast && { borderBottom: 0 }),
  }
  return (
    <>
      <TableCell sx={{ ...cell, color: 'text.secondary' }}>
        {t(isPerCall ? 'channel.costs.sides.call' : `channel.costs.sides.${side}`)}
      </TableCell>
      <TableCell align="right" sx={cell}>
        {cost?.[side] && currency ? currencyText(cost[side], currency) : '–'}
      </TableCell>
      <TableCell align="right" sx={cell}>
        {price?.[side] ? currencyText(price[side], 'USD') : '–'}
      </TableCell>
      <TableCell
        align="right"
        sx={{ ...cell, ...(isBelow && { color: 'error.main', fontWeight: 600 }) }}
      >
        {percent === null ? '–' : marginText(percent)}
        {isBelow && (
          <Box component="span" sx={visuallyHidden}>
            {t('channel.costs.below')}
          </Box>
        )}
      </TableCell>
    </>
  )
}
