import Box from '@mui/material/Box'
import { useT } from '../../locales/use-t.ts'
import { Toggle } from '../feedback/toggle.tsx'
import type { Column } from '../table/types.ts'
import { useAction } from '../use-action.ts'
import { Badge, type Tone } from '../values/badge.tsx'
import type { CrudCalls, CrudRow } from './calls.ts'

type StatusRow = CrudRow & { status: number }

type StatusOptions<Row> = {
  /** The badge colour of each status. 1 is enabled, 2 is disabled; the server sets all others. */
  tones: Record<number, Tone>
  /** Names the row for screen readers, when its name is not unique. */
  rowLabel?: (row: Row) => string
  /** The locale key of the reason why the switch is disabled in a status above 2. Without it there is only a badge. */
  disabledReasonKey?: string
}

/** A column with a switch between enabled and disabled. Every other status is shown as a badge. */
export const statusColumn = <Row extends StatusRow>(
  update: CrudCalls['update'],
  options: StatusOptions<Row>,
): Column<Row> => {
  const badge = ({ status }: Row) => (
    <Badge
      tone={options.tones[status] ?? 'gray'}
      labelKey={`${update.resource}.status.${status}`}
    />
  )
  return {
    key: 'status',
    detail: badge,
    render: row =>
      row.status > 2 && !options.disabledReasonKey ? (
        badge(row)
      ) : (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
          <StatusToggle {...{ update, options, row }} />
          {row.status !== 1 && badge(row)}
        </Box>
      ),
  }
}

type ToggleProps<Row> = { update: CrudCalls['update']; options: StatusOptions<Row>; row: Row }

const StatusToggle = <Row extends StatusRow>({ update, options, row }: ToggleProps<Row>) => {
  const t = useT()
  const { resource } = update
  const { disabledReasonKey, rowLabel } = options
  const change = useAction(resource, update)
  return (
    <Toggle
      checked={row.status === 1}
      label={`${t(`${resource}.fields.status`)}: ${rowLabel?.(row) ?? row.name}`}
      onChange={on => change({ id: row.id, status: on ? 1 : 2 })}
      disabledReason={row.status > 2 && disabledReasonKey ? t(disabledReasonKey) : undefined}
    />
  )
}
