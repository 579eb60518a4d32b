import ExpandIcon from 'virtual:icons/expand-more'
import Box from '@mui/material/Box'
import Collapse from '@mui/material/Collapse'
import List from '@mui/material/List'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Typography from '@mui/material/Typography'
import { useLayoutEffect } from 'react'
import { Link, useLocation } from 'react-router'
import { isAdmin, isRoot, useSite, useUser } from '../../api'
import { useT } from '../../ui'
import { onArrowKeys } from '../../ui/table/arrow-keys.ts'
import { useCustomization } from '../customization.tsx'
import { MenuIcon } from './icons.tsx'
import {
  type MenuCollapse,
  type MenuGroup,
  type MenuItem,
  menuFor,
  partsOf,
  titleIdOf,
} from './menu.ts'
import { UserCard } from './user-card.tsx'

type Props = { chosen?: () => void }

export const Sidebar = ({ chosen = () => undefined }: Props) => {
  const t = useT()
  const user = useUser()
  const site = useSite()
  const groups = menuFor({
    isAdmin: isAdmin(user),
    isRoot: isRoot(user),
    hasInvoices: site.UserInvoiceMonth,
  })
  return (
    <Box
      id="menu"
      sx={{ height: '100%', display: 'flex', flexDirection: 'column', overflow: 'hidden' }}
    >
      <UserCard />
      <Box
        component="nav"
        aria-label={t('menu.console')}
        onKeyDown={onArrowKeys('.MuiListItemButton-root')}
        sx={{ flex: 1, overflowY: 'auto', px: 1.5, pb: 2 }}
      >
        <MenuEntries entries={groups} chosen={chosen} />
        <Box sx={{ px: 1.5, pt: 3, fontSize: 12, color: 'text.secondary' }}>
          {site.version || t('common.unknownVersion')}
        </Box>
      </Box>
    </Box>
  )
}

type EntriesProps = {
  /** Groups; anything else is shown as an error. */
  entries: readonly (MenuGroup | { type: string; id: string })[]
  chosen: () => void
}

const isGroup = (entry: EntriesProps['entries'][number]): entry is MenuGroup =>
  entry.type === 'group'

/** The groups of the menu with their entries. */
export const MenuEntries = ({ entries, chosen }: EntriesProps) => {
  const t = useT()
  return entries.map(entry =>
    isGroup(entry) ? (
      <Group key={entry.id} group={entry} chosen={chosen} />
    ) : (
      <MenuError key={entry.id} text={t('menu.error')} />
    ),
  )
}

const Group = ({ group, chosen }: { group: MenuGroup; chosen: () => void }) => {
  const t = useT()
  const id = `menu-${group.id}`
  return (
    <Box>
      <Box id={id} sx={groupTitle}>
        {t(`menu.${titleIdOf(group)}`)}
      </Box>
      {partsOf(group).map((part, index) => (
        <List
          key={part[0]?.id}
          dense
          disablePadding
          aria-labelledby={id}
          sx={index > 0 ? separated : {}}
        >
          {part.map(child => (
            <Child key={child.id} {...{ child, chosen }} />
          ))}
        </List>
      ))}
    </Box>
  )
}

const separated = { mt: 0.75, pt: 0.75, borderTop: '1px solid', borderColor: 'divider' }

const Child = ({ child, chosen }: { child: MenuItem | MenuCollapse; chosen: () => void }) => {
  if (child.type === 'item') return <Entry item={child} chosen={chosen} />
  if (child.type === 'collapse') return <Fold fold={child} chosen={chosen} />
  return (
    <li>
      <MenuError text="Menu Items Error" />
    </li>
  )
}

/** Replaces an entry that the menu cannot show. */
const MenuError = ({ text }: { text: string }) => (
  <Typography variant="body2" role="alert" sx={{ color: 'error.main', px: 1.5, py: 1 }}>
    {text}
  </Typography>
)

const groupTitle = {
  fontSize: 12,
  fontWeight: 500,
  lineHeight: 1,
  color: 'text.secondary',
  px: 1.5,
  pt: 2,
  pb: 1,
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
        selected={isHere || pathname.startsWith(`${item.url}/`)}
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

/** A collapsible menu section. It opens when one of its pages is shown, and toggles on click. */
const Fold = ({ fold, chosen }: { fold: MenuCollapse; chosen: () => void }) => {
  const t = useT()
  const { pathname } = useLocation()
  const holds = fold.children.some(each => each.url === pathname)
  const { isOpen, setSection } = useCustomization()
  const open = isOpen.includes(fold.id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the path changes
  useLayoutEffect(() => {
    if (holds) setSection(fold.id, true)
  }, [pathname])
  return (
    <li>
      <ListItemButton
        onClick={() => setSection(fold.id, !open)}
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
