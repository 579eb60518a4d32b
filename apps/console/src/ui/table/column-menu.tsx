import ColumnsIcon from '@mui/icons-material/ViewWeekOutlined'
import Checkbox from '@mui/material/Checkbox'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Tooltip from '@mui/material/Tooltip'
import { useState } from 'react'
import { useT } from '../use-t.ts'
import type { Looks } from './data-table.tsx'
import type { Column } from './types.ts'

type Props<T> = { of: string; columns: readonly Column<T>[]; looks: Looks }

/** Which columns are shown, and how dense; both are remembered. */
export const ColumnMenu = <T,>({ of, columns, looks }: Props<T>) => {
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
          const isShown = !looks.hidden.includes(column.key)
          return (
            <MenuItem
              key={column.key}
              dense
              role="menuitemcheckbox"
              aria-checked={isShown}
              onClick={() => looks.toggle(column.key)}
            >
              <Checkbox
                size="small"
                checked={isShown}
                tabIndex={-1}
                sx={{ p: 0, mr: 1 }}
                aria-hidden
              />
              {t(column.label ?? `${of}.fields.${column.key}`)}
            </MenuItem>
          )
        })}
        <Divider />
        <MenuItem
          dense
          role="menuitemcheckbox"
          aria-checked={looks.compact}
          onClick={looks.toggleCompact}
        >
          <Checkbox
            size="small"
            checked={looks.compact}
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
