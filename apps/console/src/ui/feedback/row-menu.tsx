import MoreIcon from 'virtual:icons/more-horiz'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { createContext, type MouseEvent, type ReactNode, useContext, useState } from 'react'
import { useT } from '../../locales/use-t.ts'

const CloseMenu = createContext<() => void>(() => undefined)

/** Closes the menu of an item that was opened with `keepOpen`. */
export const useCloseMenu = () => useContext(CloseMenu)

type MenuProps = {
  label?: string
  /** The label of the button; three dots by default. */
  button?: string
  icon?: ReactNode
  children: ReactNode
}

/** The menu of one row. `label` names the row for screen readers. */
export const RowMenu = ({ label, button, icon, children }: MenuProps) => {
  const t = useT()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const close = () => setAnchor(null)
  const name = label ? t('common.actionsOf', { name: label }) : t('common.actions')
  // A menu below the last quarter of the window would cover its button.
  const isLow = (anchor?.getBoundingClientRect().bottom ?? 0) > window.innerHeight * 0.75
  const trigger = {
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== null,
    onClick: (event: MouseEvent<HTMLElement>) => {
      event.stopPropagation()
      setAnchor(event.currentTarget)
    },
  } as const
  return (
    <>
      {button ? (
        <Button variant="outlined" color="inherit" endIcon={icon} {...trigger}>
          {button}
        </Button>
      ) : (
        <IconButton size="small" aria-label={name} {...trigger}>
          <MoreIcon fontSize="small" />
        </IconButton>
      )}
      <CloseMenu.Provider value={close}>
        <Menu
          open={anchor !== null}
          anchorEl={anchor}
          onClose={close}
          onClick={event => event.stopPropagation()}
          anchorOrigin={{ horizontal: 'right', vertical: isLow ? 'top' : 'bottom' }}
          transformOrigin={{ horizontal: 'right', vertical: isLow ? 'bottom' : 'top' }}
        >
          {children}
        </Menu>
      </CloseMenu.Provider>
    </>
  )
}

type ItemProps = {
  icon?: ReactNode
  danger?: boolean
  disabled?: boolean
  /** Keeps the menu mounted while the item's own dialog is open. */
  keepOpen?: boolean
  onClick: () => unknown
  children: ReactNode
}

export const ActionItem = ({
  icon,
  danger,
  disabled,
  keepOpen,
  onClick,
  children,
  ...rest
}: ItemProps) => {
  const close = useContext(CloseMenu)
  return (
    <MenuItem
      {...rest}
      disabled={disabled ?? false}
      sx={danger ? { color: 'error.main', '& svg': { color: 'error.main' } } : {}}
      onClick={() => {
        onClick()
        if (!keepOpen) close()
      }}
    >
      {icon && <ListItemIcon sx={{ '& svg': { fontSize: 18 } }}>{icon}</ListItemIcon>}
      <ListItemText slotProps={{ primary: { sx: { fontSize: 14 } } }}>{children}</ListItemText>
    </MenuItem>
  )
}

/** The text of a disabled menu item with the reason below it, because a disabled item has no tooltip. */
export const DisabledReason = ({
  children,
  reason,
}: {
  children: ReactNode
  reason: string | undefined
}) => (
  <>
    {children}
    {reason && (
      <Box
        component="span"
        sx={{ display: 'block', fontSize: 12, whiteSpace: 'normal', maxWidth: 240 }}
      >
        {reason}
      </Box>
    )}
  </>
)
