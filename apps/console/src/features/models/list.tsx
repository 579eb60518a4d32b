import type { Group } from '@hub/contract'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import { CallPrice, ModelName, PriceAmount, type PriceView } from '../../domain/index.ts'
import { TagChips } from '../../domain/model-info/index.ts'
import { Badge, CopyButton, useT } from '../../ui/index.ts'
import { groupPrice, type ModelRow } from './rows.ts'

type Props = {
  rows: ModelRow[]
  group: Group | undefined
  view: PriceView
  open: (row: ModelRow) => void
}

/** Phones show only names and prices; the details dialog has the rest. */
const wide = { display: { xs: 'none', sm: 'table-cell' } }

/** The models as a table, for comparing prices. */
export const ModelTable = ({ rows, group, view, open }: Props) => {
  const t = useT()
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label={t('models.title')}
      sx={{
        overflowX: 'auto',
        bgcolor: 'background.paper',
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 1.5,
      }}
    >
      <Table size="small">
        <TableHead>
          <TableRow>
            <TableCell>{t('models.model')}</TableCell>
            <TableCell sx={wide}>{t('models.owner')}</TableCell>
            <TableCell sx={wide}>{t('models.type')}</TableCell>
            <TableCell align="right">{t('models.input')}</TableCell>
            <TableCell align="right">{t('models.output')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(row => (
            <TableRow key={row.model} hover>
              <TableCell sx={{ whiteSpace: { sm: 'nowrap' }, overflowWrap: 'anywhere' }}>
                <ButtonBase
                  onClick={() => open(row)}
                  aria-label={t('models.details', { name: row.model })}
                  sx={{ font: 'inherit', fontWeight: 500, textAlign: 'left', borderRadius: 0.5 }}
                >
                  <ModelName name={row.model} />
                </ButtonBase>
                <CopyButton text={row.model} what={t('models.id')} />
                {row.description && row.description.tags.length > 0 && (
                  <Box sx={{ mt: 0.5 }}>
                    <TagChips tags={row.description.tags} />
                  </Box>
                )}
              </TableCell>
              <TableCell sx={wide}>
                {row.price_min ? t('models.byServing') : row.owned_by || '–'}
              </TableCell>
              <TableCell sx={wide}>{t(`prices.options.type.${row.price.type}`)}</TableCell>
              <Sides {...{ row, group, view }} />
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Box>
  )
}

const Sides = ({
  row: { price, groups },
  group,
  view,
}: Omit<Props, 'rows' | 'open'> & { row: ModelRow }) => {
  if (!group || !groups.includes(group.symbol))
    return (
      <TableCell align="right" colSpan={2}>
        <Badge tone="gray" labelKey="models.notInGroup" />
      </TableCell>
    )
  const byCall = price.type === 'times'
  return (
    <>
      <TableCell align="right">
        {byCall ? (
          <CallPrice price={price} groupRatio={group.ratio} view={view} />
        ) : (
          <PriceAmount ratio={groupPrice(price.input, group)} byCall={false} view={view} />
        )}
      </TableCell>
      <TableCell align="right">
        {byCall ? (
          '–'
        ) : (
          <PriceAmount ratio={groupPrice(price.output, group)} byCall={false} view={view} />
        )}
      </TableCell>
    </>
  )
}
