import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import type { ReactNode } from 'react'
import { Card, useT } from '../../ui'

type Props = {
  title: string
  intro?: string
  /** The title of the names. */
  names: string
  /** Keys of `analytics.columns`. */
  columns: readonly string[]
  rows: readonly { key: string; name: ReactNode; cells: readonly ReactNode[] }[]
}

/** A card with a table of figures by name, which scrolls sideways on phones. */
export const SumsTable = ({ title, intro, names, columns, rows }: Props) => {
  const t = useT()
  return (
    <Card title={title} intro={intro} flush>
      <Box role="group" tabIndex={0} aria-label={title} sx={{ overflowX: 'auto' }}>
        <Table size="small" sx={{ '& td, & th': { whiteSpace: 'nowrap' } }}>
          <TableHead>
            <TableRow>
              <TableCell>{names}</TableCell>
              {columns.map(each => (
                <TableCell key={each} align="right">
                  {t(`analytics.columns.${each}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.map(({ key, name, cells }) => (
              <TableRow key={key}>
                <TableCell component="th" scope="row">
                  {name}
                </TableCell>
                {columns.map((column, index) => (
                  <TableCell key={column} align="right">
                    {cells[index]}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
    </Card>
  )
}
