import type { AuditChange, AuditRow } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Badge, useT } from '../../ui/index.ts'
import { mono } from '../../ui/theme.ts'

/** The changed fields of each row of an entry. */
export const Changes = ({ row: { changes, changes_omitted: omitted } }: { row: AuditRow }) => {
  const t = useT()
  const rows = Map.groupBy(changes, change => change.row)
  if (changes.length === 0) return <Note text={t('audit.noChanges')} />
  return (
    <Stack spacing={2}>
      {[...rows].map(([name, list]) => (
        <Row key={name} name={name} changes={list} />
      ))}
      {omitted > 0 && <Note text={t('audit.omitted', { count: omitted })} />}
    </Stack>
  )
}

const Note = ({ text }: { text: string }) => (
  <Typography variant="body2" sx={{ color: 'text.secondary' }}>
    {text}
  </Typography>
)

const Row = ({ name, changes }: { name: string; changes: readonly AuditChange[] }) => {
  const t = useT()
  const isMade = changes.some(each => each.field === '' && each.after !== undefined)
  const isDeleted = changes.some(each => each.field === '' && each.before !== undefined)
  return (
    <Box component="section">
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center', mb: 0.75 }}>
        <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {t('audit.rowName', { name })}
        </Typography>
        {isMade && <Badge tone="green" labelKey="audit.made" />}
        {isDeleted && <Badge tone="red" labelKey="audit.deleted" />}
      </Stack>
      <Box
        component="dl"
        sx={{ m: 0, border: '1px solid', borderColor: 'divider', borderRadius: '8px' }}
      >
        {fieldsOf(changes).map(change => (
          <Field key={change.field} change={change} />
        ))}
      </Box>
    </Box>
  )
}

/** A new or deleted row is shown by its fields that have a value. */
const fieldsOf = (changes: readonly AuditChange[]): AuditChange[] =>
  changes.flatMap(change => {
    if (change.field !== '') return [change]
    const side = change.after === undefined ? 'before' : 'after'
    return Object.entries(change[side] as object)
      .filter(([, value]) => textOf(value) !== '')
      .map(([field, value]) => ({ row: change.row, field, [side]: value }))
  })

const Field = ({ change: { field, before, after } }: { change: AuditChange }) => {
  const t = useT()
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: 'minmax(120px, 1fr) 2fr' },
        columnGap: 2,
        rowGap: 0.5,
        px: 1.5,
        py: 1,
        '& + &': { borderTop: '1px solid', borderColor: 'divider' },
      }}
    >
      <Box
        component="dt"
        sx={{
          fontFamily: mono,
          fontSize: 12,
          lineHeight: '20px',
          color: 'text.secondary',
          overflowWrap: 'anywhere',
        }}
      >
        {field}
      </Box>
      <Stack component="dd" spacing={0.5} sx={{ m: 0, minWidth: 0 }}>
        {before !== undefined && <Value sign="−" label={t('audit.before')} value={before} />}
        {after !== undefined && <Value sign="+" label={t('audit.after')} value={after} />}
      </Stack>
    </Box>
  )
}

type ValueProps = { sign: '−' | '+'; label: string; value: unknown }

const Value = ({ sign, label, value }: ValueProps) => {
  const t = useT()
  const text = textOf(value)
  const color = sign === '+' ? 'success.main' : 'error.main'
  return (
    <Box sx={{ display: 'flex', gap: 1, fontFamily: mono, fontSize: 12, lineHeight: '20px' }}>
      <Box component="span" role="img" aria-label={label} title={label} sx={{ color }}>
        {sign}
      </Box>
      <Box
        component="span"
        sx={{
          minWidth: 0,
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          ...(text === '' && { color: 'text.secondary', fontStyle: 'italic' }),
        }}
      >
        {text || t('audit.emptyValue')}
      </Box>
    </Box>
  )
}

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
