import Box from '@mui/material/Box'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import type { PlotProps } from './plot-frame.tsx'

const markedLabel = { display: 'inline-flex', alignItems: 'center', gap: 0.75 }

type FigureTableProps = Pick<PlotProps, 'series' | 'labels'> & {
  question: string
  linkOf?: ((series: number, index: number) => string | undefined) | undefined
  format: (value: number) => string
}

/** The figures of a chart, in their own chunk because few visits look at them. */
const FigureTable = ({ series, labels, format, question, linkOf }: FigureTableProps) => (
  <Box component="section" sx={{ overflowX: 'auto' }} tabIndex={0} aria-label={question}>
    <Table size="small">
      <TableHead>
        <TableRow>
          <TableCell />
          {labels.map(label => (
            <TableCell key={label} align="right">
              {label}
            </TableCell>
          ))}
        </TableRow>
      </TableHead>
      <TableBody>
        {series.map((each, at) => (
          <TableRow key={each.label}>
            <TableCell component="th" scope="row">
              <Typography variant="body2" component="span" sx={markedLabel}>
                {each.mark}
                {each.label}
              </Typography>
            </TableCell>
            {each.data.map((value, index) => (
              <TableCell key={labels[index]} align="right">
                <Value
                  text={value === null ? '–' : format(value)}
                  link={value ? linkOf?.(at, index) : undefined}
                />
              </TableCell>
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  </Box>
)
export default FigureTable

const Value = ({ text, link }: { text: string; link: string | undefined }) =>
  link ? (
    <Box component={Link} to={link} sx={{ color: 'primary.main' }}>
      {text}
    </Box>
  ) : (
    text
  )
