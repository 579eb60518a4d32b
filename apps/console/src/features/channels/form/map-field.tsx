import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { useT } from '../../../ui/index.ts'
import { JsonField } from './json-field.tsx'
import { duplicateKeys, type MapEntry, prettyJson, readMap, writeMap } from './stored-text.ts'

type Props = {
  id: string
  describedBy: string | undefined
  value: string
  set: (text: string) => void
  label: string
  keyLabel: string
  valueLabel: string
}

type MapRow = MapEntry & { row: number }
const numbered = (entries: MapEntry[]): MapRow[] => entries.map((entry, row) => ({ ...entry, row }))

/** Edits a map either as rows or as JSON; both write the same text. */
export const MapField = (props: Props) => {
  const { id, describedBy, value, set, label } = props
  const t = useT()
  const [rows, setRows] = useState<MapRow[] | undefined>(() => {
    const entries = readMap(value)
    return entries && numbered(entries)
  })
  const asRows = readMap(value)
  const showRows = () => asRows && setRows(numbered(asRows))
  const showJson = () => {
    set(prettyJson(value))
    setRows(undefined)
  }
  const change = (next: MapRow[]) => {
    setRows(next)
    set(writeMap(next))
  }
  return (
    <Stack spacing={1}>
      {rows ? (
        <MapRows {...props} rows={rows} change={change} />
      ) : (
        <JsonField {...{ id, describedBy, value, set, label }} isValid={asRows !== undefined} />
      )}
      <Stack direction="row" spacing={1}>
        {rows && (
          <Button
            color="inherit"
            size="small"
            startIcon={<AddIcon />}
            onClick={() => setRows([...rows, { row: nextRow(rows), key: '', value: '' }])}
          >
            {t('channels.map.add')}
          </Button>
        )}
        <Button
          color="inherit"
          size="small"
          disabled={!rows && asRows === undefined}
          onClick={rows ? showJson : showRows}
        >
          {t(rows ? 'channels.map.asJson' : 'channels.map.asRows')}
        </Button>
      </Stack>
    </Stack>
  )
}

const nextRow = (rows: MapRow[]) => Math.max(-1, ...rows.map(each => each.row)) + 1

type MapRowsProps = Props & { rows: MapRow[]; change: (rows: MapRow[]) => void }

const MapRows = ({ id, rows, change, keyLabel, valueLabel }: MapRowsProps) => {
  const t = useT()
  const duplicates = duplicateKeys(rows)
  const updateRow = (row: number, patch: Partial<MapEntry>) =>
    change(rows.map(each => (each.row === row ? { ...each, ...patch } : each)))
  return (
    <>
      {rows.map(({ row, key, value }, index) => (
        <Stack key={row} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <OutlinedInput
            {...(index === 0 ? { id } : {})}
            fullWidth
            value={key}
            placeholder={keyLabel}
            error={duplicates.includes(key.trim())}
            inputProps={{ 'aria-label': `${keyLabel} ${index + 1}` }}
            onChange={event => updateRow(row, { key: event.target.value })}
          />
          <span aria-hidden>→</span>
          <OutlinedInput
            fullWidth
            value={value}
            placeholder={valueLabel}
            inputProps={{ 'aria-label': `${valueLabel} ${index + 1}` }}
            onChange={event => updateRow(row, { value: event.target.value })}
          />
          <IconButton
            aria-label={t('channels.map.remove', { name: key || String(index + 1) })}
            onClick={() => change(rows.filter(each => each.row !== row))}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Stack>
      ))}
      {duplicates.length > 0 && (
        <Typography variant="caption" role="alert" sx={{ color: 'error.main' }}>
          {t('channels.map.duplicate', { names: duplicates.join(', ') })}
        </Typography>
      )}
    </>
  )
}
