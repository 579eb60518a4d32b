import type { MarginReport, MarginRow } from '@hub/contract'
import Box from '@mui/material/Box'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { Card, EmptyState, Field, formatCount, formatMoney, useT } from '../../ui'

export const groupings = [
  ...(['model', 'channel', 'user', 'group', 'key', 'model,channel', 'day'] as const),
] as const
type Grouping = (typeof groupings)[number]

const columns = ['margin', 'percent', 'revenue', 'cost', 'calls', 'unknown'] as const
const rowsMax = 100

type Props = {
  report: MarginReport
  by: Grouping
  setBy: (by: Grouping) => void
  action: ReactNode
}

/** Rows by one or two attributes, the largest loss first and in red. */
export const MarginTable = ({ report, by, setBy, action }: Props) => {
  const t = useT()
  const title = t('margin.table')
  const more = report.rows.length + report.left_off - rowsMax
  const choice = (
    <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'end', mb: 2, px: 3 }}>
      <Box sx={{ width: 220 }}>
        <Field label={t('margin.by')}>
          {({ id }) => (
            <Select
              fullWidth
              id={id}
              labelId={`${id}-label`}
              value={by}
              onChange={event => setBy(event.target.value)}
            >
              {groupings.map(each => (
                <MenuItem key={each} value={each}>
                  {labelOf(each)
                    .map(name => t(`margin.groups.${name}`))
                    .join(' × ')}
                </MenuItem>
              ))}
            </Select>
          )}
        </Field>
      </Box>
      {action}
    </Box>
  )
  return (
    <Card title={title} intro={t('margin.tableIntro')} flush>
      {choice}
      {report.rows.length === 0 ? (
        <EmptyState title={t('margin.empty')} />
      ) : (
        <Box role="group" tabIndex={0} aria-label={title} sx={{ overflowX: 'auto' }}>
          <Table size="small" sx={{ '& td, & th': { whiteSpace: 'nowrap' } }}>
            <TableHead>
              <TableRow>
                <TableCell>
                  {labelOf(by)
                    .map(name => t(`margin.groups.${name}`))
                    .join(' × ')}
                </TableCell>
                {columns.map(each => (
                  <TableCell key={each} align="right">
                    {t(`margin.columns.${each}`)}
                  </TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {report.rows.slice(0, rowsMax).map(row => (
                <Row key={nameOf(row, by)} row={row} name={nameOf(row, by)} />
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
      {more > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'text.secondary', p: 2 }}>
          {t('margin.more', { count: more })}
        </Typography>
      )}
    </Card>
  )
}

const Row = ({ row, name }: { row: MarginRow; name: string }) => {
  const color = Number(row.margin) < 0 ? 'error.main' : undefined
  const isUnknown = row.calls > 0 && row.unknown_calls === row.calls && Number(row.cost) === 0
  return (
    <TableRow>
      <TableCell component="th" scope="row">
        {name || '–'}
      </TableCell>
      <TableCell align="right" sx={{ color }}>
        {isUnknown ? '–' : formatMoney(Number(row.margin), 'USD')}
      </TableCell>
      <TableCell align="right" sx={{ color }}>
        {row.margin_percent === null ? '–' : `${row.margin_percent}%`}
      </TableCell>
      <TableCell align="right">{formatMoney(Number(row.revenue), 'USD')}</TableCell>
      <TableCell align="right">{isUnknown ? '–' : formatMoney(Number(row.cost), 'USD')}</TableCell>
      <TableCell align="right">{formatCount(row.calls)}</TableCell>
      <TableCell align="right">
        {row.unknown_calls ? formatCount(row.unknown_calls) : '–'}
      </TableCell>
    </TableRow>
  )
}

type Name = 'model' | 'channel' | 'user' | 'group' | 'key' | 'day'
const labelOf = (by: Grouping) => by.split(',') as Name[]

const nameOf = (row: MarginRow, by: Grouping): string =>
  (by === 'key' ? (['user', 'key'] as const) : labelOf(by)).map(name => row[name]).join(' · ')
