import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import type { ReactNode } from 'react'
import { useT } from '../../locales/use-t.ts'
import { onArrowKeys } from './arrow-keys.ts'
import { cell } from './cell.tsx'
import { type Selection, SelectionBox } from './selection/selection-box.tsx'
import type { ListControl } from './state/list-state.ts'
import type { Rows } from './state/use-rows.ts'
import type { CardShape, Column, RowKey } from './types.ts'

type Props<T extends object> = {
  resource: string
  columns: readonly Column<T>[]
  card: CardShape<T>
  rowKey: (row: T) => RowKey
  rowActions?: (row: T) => ReactNode
  drawer?: unknown
  control: ListControl
  rows: Rows<T>
  list?: unknown
  bulkActions?: unknown
} & Selection

/** The phone layout of a table. */
export const CardList = <T extends object>(props: Props<T>) => {
  const { rows, rowKey } = props
  const t = useT()
  return (
    <Box
      component="ul"
      aria-label={t(`${props.resource}.title`)}
      onKeyDown={onArrowKeys('[data-card-title]')}
      sx={{ m: 0, p: 0, listStyle: 'none' }}
    >
      {rows.isLoading &&
        [1, 2, 3, 4].map(each => (
          <Box key={each} component="li" sx={{ p: 2, height: 116 }}>
            <Skeleton width="50%" />
            <Skeleton />
            <Skeleton width="70%" />
          </Box>
        ))}
      {rows.page?.data.map(row => (
        <RowCard key={rowKey(row)} {...props} row={row} />
      ))}
    </Box>
  )
}

/** Lines the box up with the text below it. */
const selectionMargins = { my: -1, mr: -1, ml: '-11px' }
/** The colour of a selected row of a table. */
const selectedColour = 'rgba(var(--mui-palette-primary-mainChannel) / 0.08)'

const RowCard = <T extends object>(props: Props<T> & { row: T }) => {
  const { resource, row, card, columns, control, drawer, rowActions, rowKey } = props
  const { bulkActions, selected, setSelected } = props
  const key = rowKey(row)
  const t = useT()
  const fields = (card.line ? [] : card.fields).flatMap(
    key => columns.find(each => each.key === key) ?? [],
  )
  const open = drawer ? () => control.setOpen(String(key)) : undefined
  return (
    <Box
      component="li"
      onClick={open}
      sx={{
        px: 2,
        py: card.line ? 1 : 2,
        cursor: open ? 'pointer' : 'default',
        borderBottom: '1px solid',
        borderColor: 'divider',
        ...(selected.includes(key) && { bgcolor: selectedColour }),
        '&:last-of-type': { borderBottom: 0 },
      }}
    >
      <Stack
        direction="row"
        spacing={1}
        sx={{ alignItems: 'center', justifyContent: 'space-between', mb: card.line ? 0 : 1 }}
      >
        {Boolean(bulkActions) && (
          <OwnClicks>
            <SelectionBox {...{ selected, setSelected }} rowId={key} sx={selectionMargins} />
          </OwnClicks>
        )}
        <Box
          component={open ? 'button' : 'span'}
          {...(open && { 'data-card-title': true })}
          sx={{
            p: 0,
            border: 0,
            bgcolor: 'transparent',
            color: 'text.primary',
            font: 'inherit',
            fontWeight: 600,
            textAlign: 'left',
            flex: 1,
            minWidth: 0,
            overflowWrap: 'anywhere',
          }}
        >
          {card.title(row)}
        </Box>
        {rowActions && <OwnClicks>{rowActions(row)}</OwnClicks>}
      </Stack>
      {card.line && <OwnClicks>{card.line(row)}</OwnClicks>}
      {fields.map(column => (
        <Stack
          key={column.key}
          direction="row"
          spacing={2}
          sx={{
            justifyContent: 'space-between',
            alignItems: 'center',
            fontSize: 13,
            minHeight: 26,
          }}
        >
          <Box component="span" sx={{ color: 'text.secondary', flexShrink: 0 }}>
            {t(column.labelKey ?? `${resource}.fields.${column.key}`)}
          </Box>
          <Box component="span" sx={{ textAlign: 'right', minWidth: 0, overflowWrap: 'anywhere' }}>
            {cell(column, row)}
          </Box>
        </Stack>
      ))}
    </Box>
  )
}

/** Keeps a click on a control from opening the card. */
const OwnClicks = ({ children }: { children: ReactNode }) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it only stops clicks
  // biome-ignore lint/a11y/useKeyWithClickEvents: as above; keys land on the controls inside
  <div onClick={event => event.stopPropagation()}>{children}</div>
)
