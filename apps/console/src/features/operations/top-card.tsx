import type { TopRow } from '@hub/contract'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { ComponentType } from 'react'
import { Link as RouterLink } from 'react-router'
import { Quota } from '../../domain'
import { Card, formatCount, useT } from '../../ui'

type Props = {
  title: string
  rows: readonly TopRow[]
  intro?: string
  /** The log page with the charges of a row, where it has a filter for them. */
  linkOf?: (row: TopRow) => string
  /** The mark before each name. */
  Mark?: ComponentType<{ name: string }>
}

/** Rows by charge; a bar shows each one's share of the first. */
export const TopCard = ({ title, intro, rows, linkOf, Mark }: Props) => {
  const t = useT()
  const most = Math.max(1, ...rows.map(({ charged }) => charged))
  return (
    <Card title={title} intro={intro}>
      {rows.length === 0 && (
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {t('operations.top.none')}
        </Typography>
      )}
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.25 }}>
        {rows.map(row => (
          <Row
            key={`${row.id} ${row.name}`}
            row={row}
            link={linkOf?.(row)}
            percent={(row.charged / most) * 100}
            Mark={Mark}
          />
        ))}
      </Box>
    </Card>
  )
}

const nameStyles = { display: 'flex', alignItems: 'center', gap: 0.75, minWidth: 0 }

type RowProps = { row: TopRow; link: string | undefined; percent: number; Mark: Props['Mark'] }

const Row = ({ row, link, percent, Mark }: RowProps) => {
  const t = useT()
  const { id, name, charged, requests, failed } = row
  const fallback = id === 0 ? t('operations.top.other') : t('operations.top.deleted', { id })
  return (
    <Box component="li">
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 2, fontSize: 14 }}>
        {name && link ? (
          <Link component={RouterLink} to={link} noWrap sx={nameStyles}>
            {Mark && <Mark name={name} />}
            {name}
          </Link>
        ) : (
          <Box sx={{ color: name ? 'text.primary' : 'text.secondary' }}>{name || fallback}</Box>
        )}
        <Box sx={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap', fontWeight: 500 }}>
          <Quota value={charged} />
        </Box>
      </Box>
      <Box sx={{ height: 4, borderRadius: 2, bgcolor: 'action.hover', my: 0.5 }}>
        <Box
          sx={{ height: 4, borderRadius: 2, bgcolor: 'primary.main' }}
          style={{ width: `${percent}%` }}
        />
      </Box>
      <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
        {t('operations.top.calls', { requests: formatCount(requests) })}
        {failed > 0 && ` · ${t('operations.top.failed', { failed: formatCount(failed) })}`}
      </Typography>
    </Box>
  )
}
