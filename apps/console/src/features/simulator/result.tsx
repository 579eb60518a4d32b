import DownloadIcon from 'virtual:icons/file-download'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import type { ReactNode } from 'react'
import { ModelName } from '../../domain/index.ts'
import { download } from '../../ui/csv.ts'
import { Card, EmptyState, fileTime, formatCount, Meter, useT } from '../../ui/index.ts'
import { BeforeAfter } from '../../ui/values/before-after.tsx'
import { percentOf, type Total, totalOf, totalsCsv, usdText } from './totals.ts'
import type { Replay } from './use-replay.ts'

const columns = ['requests', 'charged', 'simulated', 'difference', 'percent'] as const
/** Columns that phones show below the name. */
const wide: ReadonlySet<string> = new Set(['requests', 'charged', 'simulated'])
const onlyWide = { display: { xs: 'none', sm: 'table-cell' } } as const

export const Result = ({ replay }: { replay: Replay }) => {
  const t = useT()
  const { totals, skipped, percent, isRunning } = replay
  const exportCsv = () => download(`simulation-${fileTime()}.csv`, totalsCsv(t, totals))
  return (
    <Box sx={{ mt: 2.5 }} aria-busy={isRunning}>
      <Card
        title={t('simulator.result')}
        flush
        actions={
          <Button
            color="inherit"
            size="small"
            startIcon={<DownloadIcon />}
            disabled={isRunning || totals.length === 0}
            onClick={exportCsv}
          >
            {t('simulator.export')}
          </Button>
        }
      >
        {isRunning && <Meter percent={percent} label={t('simulator.progress')} />}
        {totals.length > 0 && <Totals totals={totals} />}
        {totals.length === 0 && !isRunning && (
          <EmptyState title={t('simulator.empty.title')} text={t('simulator.empty.text')} />
        )}
        {!isRunning && percent < 100 && (
          <Alert severity="warning" variant="outlined" sx={{ m: 2 }}>
            {t('simulator.stopped')}
          </Alert>
        )}
        {skipped > 0 && (
          <Alert severity="info" variant="outlined" sx={{ m: 2 }}>
            {t('simulator.skipped', { count: skipped })}
          </Alert>
        )}
      </Card>
    </Box>
  )
}

const largest = (totals: readonly Total[]) =>
  Math.max(...totals.flatMap(each => [Number(each.charged), Number(each.simulated)]))

const Totals = ({ totals }: { totals: Total[] }) => {
  const t = useT()
  const sum = totalOf(totals)
  const max = largest(totals)
  return (
    <TableContainer tabIndex={0} role="region" aria-label={t('simulator.perModel')}>
      <Table size="small" sx={{ fontVariantNumeric: 'tabular-nums', minWidth: { sm: 620 } }}>
        <TableHead>
          <TableRow>
            <TableCell>{t('simulator.fields.model')}</TableCell>
            {columns.map(each => (
              <TableCell key={each} align="right" {...(wide.has(each) ? { sx: onlyWide } : {})}>
                {t(`simulator.fields.${each}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          <TotalRow total={sum} max={largest([sum])} name={t('simulator.total')} strong />
          {totals.map(each => (
            <TotalRow
              key={each.model}
              total={each}
              max={max}
              name={<ModelName name={each.model} />}
            />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  )
}

type TotalRowProps = {
  total: Total
  /** Points of a full bar. */
  max: number
  name: ReactNode
  strong?: boolean
}

const TotalRow = ({ total, max, name, strong = false }: TotalRowProps) => {
  const t = useT()
  const difference = total.simulated - total.charged
  const points = (amount: bigint) => t('logs.points', { value: formatCount(amount) })
  return (
    <TableRow sx={{ '& td, & th': { fontWeight: strong ? 600 : 400, whiteSpace: 'nowrap' } }}>
      <TableCell component="th" scope="row">
        <Box component="span" sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
          {name}
        </Box>
        <Box
          sx={{ display: { sm: 'none' }, fontSize: 12, fontWeight: 400, color: 'text.secondary' }}
        >
          {usdText(total.charged)} → {usdText(total.simulated)}
        </Box>
        <Box sx={{ mt: 0.5, minWidth: { sm: 180 } }}>
          <BeforeAfter before={Number(total.charged)} after={Number(total.simulated)} max={max} />
        </Box>
      </TableCell>
      <TableCell align="right" sx={onlyWide}>
        {formatCount(total.requests)}
      </TableCell>
      <TableCell align="right" sx={onlyWide} title={points(total.charged)}>
        {usdText(total.charged)}
      </TableCell>
      <TableCell align="right" sx={onlyWide} title={points(total.simulated)}>
        {usdText(total.simulated)}
      </TableCell>
      <TableCell align="right" title={points(difference)}>
        {difference > 0n ? '+' : ''}
        {usdText(difference)}
      </TableCell>
      <TableCell align="right">{percentOf(total) ?? '–'}</TableCell>
    </TableRow>
  )
}
