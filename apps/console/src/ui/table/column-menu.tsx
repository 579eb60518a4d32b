import ColumnsIcon from 'virtual:icons/view-week'
import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { useT } from '../../locales/use-t.ts'
import type { Column } from './types.ts'
import type { ColumnState } from './use-column-state.ts'

type Props<T> = { resource: string; columns: readonly Column<T>[]; columnState: ColumnState }

/** Shows and hides columns and switches the row density. */
export const ColumnMenu = <T,>({ resource, columns, columnState }: Props<T>) => {
  const t = useT()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Tooltip title={t('common.columns')}>
        <IconButton
          aria-label={t('common.columns')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={event => setAnchor(event.currentTarget)}
        >
          <ColumnsIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {columns.map(column => {
          const isShown = !columnState.hidden.includes(column.key)
          return (
            <MenuItem
              key={column.key}
              dense
              role="menuitemcheckbox"
              aria-checked={isShown}
              onClick={() => columnState.toggle(column.key)}
            >
              <Checkbox
                size="small"
                checked={isShown}
                tabIndex={-1}
                sx={{ p: 0, mr: 1 }}
                aria-hidden
              />
              {t(column.labelKey ?? `${resource}.fields.${column.key}`)}
            </MenuItem>
          )
        })}
        <Divider />
        <MenuItem
          dense
          role="menuitemcheckbox"
          aria-checked={columnState.compact}
          onClick={columnState.toggleCompact}
        >
          <Checkbox
            size="small"
            checked={columnState.compact}
            tabIndex={-1}
            sx={{ p: 0, mr: 1 }}
            aria-hidden
          />
          {t('common.compact')}
        </MenuItem>
      </Menu>
    </>
  )
}
