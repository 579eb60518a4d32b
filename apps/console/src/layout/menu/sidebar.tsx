import ExpandIcon from '@mui/icons-material/ExpandMoreOutlined'
import Box from '@mui/material/Box'
import Collapse from '@mui/material/Collapse'
import List from '@mui/material/List'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { isAdmin, isRoot, useSite, useUser } from '../../api'
import { useT } from '../../ui'
import { MenuIcon } from './icons.tsx'
import { type MenuCollapse, type MenuItem, menuFor } from './menu.ts'
import { UserCard } from './user-card.tsx'

type Props = { chosen?: () => void }

export const Sidebar = ({ chosen = () => undefined }: Props) => {
  const t = useT()
  const user = useUser()
  const site = useSite()
  const groups = menuFor({ isAdmin: isAdmin(user), isRoot: isRoot(user) })
  return (
    <Box
      id="menu"
      sx={{ height: '100%', display: 'flex', flexDirection: 'column', overflow: 'hidden' }}
    >
      <UserCard />
      <Box
        component="nav"
        aria-label={t('menu.console')}
        sx={{ flex: 1, overflowY: 'auto', px: 1.5, pb: 2 }}
      >
        {groups.map(group => (
          <Box key={group.id}>
            <Box
              id={`menu-${group.id}`}
              sx={{
                fontSize: 12,
                fontWeight: 500,
                lineHeight: 1,
                color: 'text.secondary',
                px: 1.5,
                pt: 2,
                pb: 1,
              }}
            >
              {t(`menu.${group.id}`)}
            </Box>
            <List dense disablePadding aria-labelledby={`menu-${group.id}`}>
              {group.children.map(child =>
                child.type === 'item' ? (
                  <Entry key={child.id} item={child} chosen={chosen} />
                ) : (
                  <Fold key={child.id} fold={child} chosen={chosen} />
                ),
              )}
            </List>
          </Box>
        ))}
        <Box sx={{ px: 1.5, pt: 3, fontSize: 12, color: 'text.secondary' }}>
          {site.version || t('common.unknownVersion')}
        </Box>
      </Box>
    </Box>
  )
}

const look = {
  borderRadius: '8px',
  minHeight: 36,
  py: 0.25,
  px: 1.5,
  mb: 0.25,
  color: 'text.secondary',
  '&.Mui-selected, &.Mui-selected:hover': {
    bgcolor: 'primary.light',
    color: 'primary.dark',
    '& .MuiListItemIcon-root': { color: 'inherit' },
  },
  '&:hover': { color: 'text.primary' },
  '& .MuiListItemIcon-root': { minWidth: 32, color: 'inherit' },
  '& svg': { fontSize: 19 },
} as const

const Entry = ({
  item,
  chosen,
  nested = false,
}: {
  item: MenuItem
  chosen: () => void
  nested?: boolean
}) => {
  const t = useT()
  const { pathname } = useLocation()
  const isHere = pathname === item.url || (pathname === '/panel' && item.id === 'dashboard')
  return (
    <li>
      <ListItemButton
        component={Link}
        to={item.url}
        selected={isHere}
        aria-current={isHere ? 'page' : undefined}
        onClick={chosen}
        sx={{ ...look, pl: nested ? 3.5 : 1.5 }}
      >
        <ListItemIcon>
          <MenuIcon name={item.icon} />
        </ListItemIcon>
        <ListItemText slotProps={{ primary: { sx: { fontSize: 14, fontWeight: 500 } } }}>
          {t(`menu.${item.id}`)}
        </ListItemText>
      </ListItemButton>
    </li>
  )
}

/** A collapsible menu section. It is open while one of its pages is shown, until the user toggles it. */
const Fold = ({ fold, chosen }: { fold: MenuCollapse; chosen: () => void }) => {
  const t = useT()
  const { pathname } = useLocation()
  const holds = fold.children.some(each => each.url === pathname)
  const [choice, setChoice] = useState<boolean | undefined>(undefined)
  const open = choice ?? holds
  return (
    <li>
      <ListItemButton
        onClick={() => setChoice(!open)}
        aria-expanded={open}
        sx={{ ...look, ...(holds ? { color: 'text.primary' } : {}) }}
      >
        <ListItemIcon>
          <MenuIcon name={fold.icon} />
        </ListItemIcon>
        <ListItemText slotProps={{ primary: { sx: { fontSize: 14, fontWeight: 500 } } }}>
          {t(`menu.${fold.id}`)}
        </ListItemText>
        <ExpandIcon
          sx={{ transform: open ? 'rotate(180deg)' : 'none', transition: 'transform 150ms' }}
        />
      </ListItemButton>
      <Collapse in={open} timeout={180} unmountOnExit>
        <List dense disablePadding>
          {fold.children.map(each => (
            <Entry key={each.id} item={each} chosen={chosen} nested />
          ))}
        </List>
      </Collapse>
    </li>
  )
}
