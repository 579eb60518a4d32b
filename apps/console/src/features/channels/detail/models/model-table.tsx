import RemoveIcon from 'virtual:icons/remove-circle-outline'
import TestIcon from 'virtual:icons/speed'
import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { visuallyHidden } from '@mui/utils'
import { useDeferredValue } from 'react'
import { Link as RouterLink } from 'react-router'
import { CallPrice, ModelName, PriceAmount, usePriceView } from '../../../../domain/index.ts'
import { Badge, Timestamp, useT } from '../../../../ui/index.ts'
import { ResultBadge, storedResult } from '../../testing/result.tsx'
import type { TestResult } from '../../testing/run-tests.ts'
import type { Tests } from '../../testing/use-tests.ts'
import type { ServedModel } from './model-rows.ts'

type Props = {
  channel: Channel
  rows: readonly ServedModel[]
  tests: Tests
  isChanging: boolean
  remove: (model: string) => Promise<void>
}

const columns = ['model', 'target', 'price', 'test'] as const

/** More than a screen has. The others are rendered after the first paint: a channel may have hundreds of models. */
const firstRows = 50

export const ModelTable = (props: Props) => {
  const t = useT()
  const isPhone = useMediaQuery('(max-width: 899.95px)')
  const shown = useDeferredValue(props.rows, props.rows.slice(0, firstRows))
  if (isPhone) return <ModelCards {...props} shown={shown} />
  return (
    <Table size="small" sx={{ '& td, & th': { height: 44, py: 0.5 } }}>
      <caption style={visuallyHidden as object}>{t('channel.models.title')}</caption>
      <TableHead>
        <TableRow>
          {columns.map(each => (
            <TableCell key={each}>{t(`channel.models.columns.${each}`)}</TableCell>
          ))}
          <TableCell>
            <Box component="span" sx={visuallyHidden}>
              {t('common.actions')}
            </Box>
          </TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {shown.map(row => (
          <TableRow key={row.model} hover>
            <TableCell component="th" scope="row" sx={{ fontWeight: 500 }}>
              <ModelName name={row.model} />
            </TableCell>
            <TableCell>{row.target ? <ModelName name={row.target} /> : <Nothing />}</TableCell>
            <TableCell>
              <PriceOfModel row={row} />
            </TableCell>
            <TableCell sx={{ maxWidth: 420 }}>
              <LastTest {...props} row={row} />
            </TableCell>
            <TableCell align="right">
              <Actions {...props} row={row} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}

/** The layout of a phone: two lines for each model. */
const ModelCards = ({ shown, ...props }: Props & { shown: Props['rows'] }) => {
  const t = useT()
  return (
    <Box
      component="ul"
      aria-label={t('channel.models.title')}
      sx={{ listStyle: 'none', m: 0, p: 0 }}
    >
      {shown.map(row => (
        <Box
          key={row.model}
          component="li"
          sx={{ py: 1, '& + &': { borderTop: '1px solid', borderColor: 'divider' } }}
        >
          <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
            <Box sx={{ flex: 1, minWidth: 0, fontWeight: 500, fontSize: 14 }}>
              <ModelName name={row.model} />
              {row.target && (
                <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
                  {t('channel.models.mapped', { target: row.target })}
                </Typography>
              )}
            </Box>
            <Actions {...props} row={row} />
          </Stack>
          <Stack
            direction="row"
            sx={{ justifyContent: 'space-between', flexWrap: 'wrap', gap: 1, fontSize: 13 }}
          >
            <PriceOfModel row={row} />
            <LastTest {...props} row={row} />
          </Stack>
        </Box>
      ))}
    </Box>
  )
}

const Nothing = () => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    –
  </Box>
)

/** The price of the name that is billed. Without one the model cannot be called. */
const PriceOfModel = ({ row: { price, billedAs } }: { row: ServedModel }) => {
  const t = useT()
  const [view] = usePriceView()
  if (!price)
    return (
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
        <Badge tone="amber" labelKey="channel.models.unpriced" />
        <Link
          component={RouterLink}
          variant="body2"
          to={`/panel/pricing?dialog=${encodeURIComponent(`create:${billedAs}`)}`}
          aria-label={t('prices.createFor', { model: billedAs })}
        >
          {t('channel.models.addPrice')}
        </Link>
      </Stack>
    )
  if (price.type === 'times') return <CallPrice price={price} view={view} />
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', columnGap: 1.5 }}>
      {(['input', 'output'] as const).map(side => (
        <Box key={side} component="span" sx={{ whiteSpace: 'nowrap' }}>
          <Box component="span" sx={{ color: 'text.secondary', mr: 0.5 }}>
            {t(`channel.models.${side}`)}
          </Box>
          <PriceAmount ratio={price[side]} byCall={false} view={view} />
        </Box>
      ))}
    </Box>
  )
}

type ServedModelProps = Props & { row: ServedModel }

const resultOf = ({ channel, row, tests }: ServedModelProps): TestResult | undefined =>
  tests.resultOf({ channelId: channel.id, model: row.model }) ??
  (row.test && storedResult(row.test))

const LastTest = (props: ServedModelProps) => {
  const { row } = props
  const result = resultOf(props)
  if (row.isPattern) return <Nothing />
  return (
    <Box sx={{ minWidth: 0 }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
        <ResultBadge result={result} />
        {row.test && result && (
          <Typography variant="caption" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
            <Timestamp at={row.test.at} />
          </Typography>
        )}
      </Stack>
      {result?.state === 'failed' && (
        <Typography
          variant="caption"
          component="div"
          sx={{ color: 'text.secondary', overflowWrap: 'anywhere', mt: 0.25 }}
        >
          {result.error}
        </Typography>
      )}
    </Box>
  )
}

const Actions = (props: ServedModelProps) => {
  const { channel, row, rows, tests, isChanging, remove } = props
  const t = useT()
  const { model } = row
  const testLabel = t('channels.testOf', { name: model })
  const removeLabel = t('channel.models.remove', { model })
  return (
    <Stack direction="row" component="span" sx={{ justifyContent: 'flex-end' }}>
      {!row.isPattern && (
        <Tooltip title={testLabel}>
          <span>
            <IconButton
              size="small"
              aria-label={testLabel}
              disabled={tests.isRunning || channel.key_count === 0}
              onClick={() => void tests.run([{ channelId: channel.id, model }])}
            >
              <TestIcon sx={{ fontSize: 18 }} />
            </IconButton>
          </span>
        </Tooltip>
      )}
      <Tooltip title={rows.length > 1 ? removeLabel : t('channel.models.last')}>
        <span>
          <IconButton
            size="small"
            aria-label={removeLabel}
            disabled={isChanging || tests.isRunning || rows.length < 2}
            onClick={() => void remove(model)}
          >
            <RemoveIcon sx={{ fontSize: 18 }} />
          </IconButton>
        </span>
      </Tooltip>
    </Stack>
  )
}
