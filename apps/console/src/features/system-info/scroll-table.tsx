import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import type { ReactNode } from 'react'
import { Card, ErrorState } from '../../ui/index.ts'

type HeadCell = { label: string; isFigure?: boolean }
type Props = { label: string; head: readonly HeadCell[]; wraps?: boolean; children: ReactNode }

/** A small table that scrolls sideways by mouse and keyboard where its rows are wider than the card. */
export const ScrollTable = ({ label, head, wraps = false, children }: Props) => (
  <TableContainer tabIndex={0} role="region" aria-label={label}>
    <Table
      size="small"
      sx={{
        fontVariantNumeric: 'tabular-nums',
        ...(wraps ? { minWidth: { sm: 620 } } : { whiteSpace: 'nowrap' }),
      }}
    >
      <TableHead>
        <TableRow>
          {head.map(({ label: text, isFigure }) => (
            <TableCell key={text} align={isFigure ? 'right' : 'left'}>
              {text}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>{children}</TableBody>
    </Table>
  </TableContainer>
)

type TableCardProps<Rows> = {
  title: string
  intro: string
  head: readonly HeadCell[]
  result: { data: Rows | undefined; error: Error | null; refetch(): unknown }
  children(rows: Rows): ReactNode
}

/** A card with the table of a query, or with its error. */
export const TableCard = <Rows,>({
  title,
  intro,
  head,
  result,
  children,
}: TableCardProps<Rows>) => {
  const { data, error, refetch } = result
  return (
    <Card title={title} intro={intro} flush>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {data !== undefined && (
        <ScrollTable label={title} head={head}>
          {children(data)}
        </ScrollTable>
      )}
    </Card>
  )
}
