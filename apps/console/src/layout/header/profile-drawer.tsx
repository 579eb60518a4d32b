import CloseIcon from 'virtual:icons/close'
import DashboardIcon from 'virtual:icons/dashboard'
import HomeIcon from 'virtual:icons/home'
import PersonIcon from 'virtual:icons/person'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Divider from '@mui/material/Divider'
import IconButton from '@mui/material/IconButton'
import List from '@mui/material/List'
import ListItemButton from '@mui/material/ListItemButton'
import ListItemIcon from '@mui/material/ListItemIcon'
import ListItemText from '@mui/material/ListItemText'
import Stack from '@mui/material/Stack'
import SwipeableDrawer from '@mui/material/SwipeableDrawer'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { useUser } from '../../api'
import { Quota } from '../../domain'
import { Count, KeyValue, useT } from '../../ui'
import { onArrowKeys } from '../../ui/table/arrow-keys.ts'
import { useBackCloses } from '../../ui/use-dialog.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import { useGroup } from '../use-group.ts'
import { UserAvatar } from './avatar.tsx'

type Props = { open: boolean; close: () => void }

const links = [
  { id: 'home', to: '/', icon: <HomeIcon /> },
  { id: 'dashboard', to: '/panel/dashboard', icon: <DashboardIcon /> },
  { id: 'profile', to: '/panel/profile', icon: <PersonIcon /> },
]

/** The account of the signed-in user with its balance, links and sign-out. */
export const ProfileDrawer = ({ open, close }: Props) => {
  const t = useT()
  useBackCloses(open, close)
  const signOut = useSignOut()
  return (
    <SwipeableDrawer
      anchor="right"
      open={open}
      onOpen={() => undefined}
      onClose={close}
      disableDiscovery
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': t('menu.account'),
          sx: { width: { xs: '85%', sm: 350 } },
        },
      }}
    >
      <Box sx={{ p: 1 }}>
        <IconButton aria-label={t('common.close')} onClick={close}>
          <CloseIcon fontSize="small" />
        </IconButton>
      </Box>
      <Account close={close} />
      <Divider />
      <Links close={close} />
      <Box sx={{ p: 2, position: 'sticky', bottom: 0, bgcolor: 'background.paper' }}>
        <Button
          fullWidth
          color="error"
          variant="outlined"
          onClick={() => {
            close()
            void signOut()
          }}
        >
          {t('menu.signOut')}
        </Button>
      </Box>
    </SwipeableDrawer>
  )
}

const Account = ({ close }: { close: () => void }) => {
  const t = useT()
  const user = useUser()
  return (
    <>
      <Stack sx={{ alignItems: 'center', px: 3, textAlign: 'center' }} spacing={0.75}>
        <UserAvatar user={user} size={62} />
        <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {user.display_name || user.username || t('common.unknown')}
        </Typography>
        <Typography variant="body2" sx={{ color: 'text.secondary' }}>
          {user.email || t('common.unknown')}
        </Typography>
        <GroupPill />
      </Stack>
      <Box sx={{ px: 3, py: 2 }}>
        <KeyValue
          rows={[
            [t('account.balance'), <Quota key="q" value={user.quota} />],
            [t('account.used'), <Quota key="u" value={user.used_quota} />],
            [t('account.calls'), <Count key="c" value={user.request_count} />],
            [t('account.invited'), <Count key="i" value={user.aff_count} />],
            [t('account.inviteReward'), <Quota key="r" value={user.aff_quota} />],
          ]}
        />
        <Button
          fullWidth
          variant="contained"
          component={Link}
          to="/panel/topup"
          onClick={close}
          sx={{ mt: 2 }}
        >
          {t('account.topUp')}
        </Button>
      </Box>
    </>
  )
}

const Links = ({ close }: { close: () => void }) => {
  const t = useT()
  return (
    <List
      component="nav"
      aria-label={t('menu.account')}
      onKeyDown={onArrowKeys('.MuiListItemButton-root')}
      sx={{ px: 1.5, flex: 1 }}
    >
      {links.map(({ id, to, icon }) => (
        <ListItemButton
          key={id}
          component={Link}
          to={to}
          onClick={close}
          sx={{ borderRadius: '8px' }}
        >
          <ListItemIcon sx={{ minWidth: 36, '& svg': { fontSize: 20 } }}>{icon}</ListItemIcon>
          <ListItemText>{t(`menu.${id}`)}</ListItemText>
        </ListItemButton>
      ))}
    </List>
  )
}

const GroupPill = () => {
  const t = useT()
  const user = useUser()
  const group = useGroup(user.group)
  return (
    <Box
      sx={{
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: 99,
        px: 1.5,
        py: 0.25,
        fontSize: 12,
        color: 'text.secondary',
      }}
    >
      {group
        ? t('account.group', { name: group.name, ratio: group.ratio, rpm: group.api_rate })
        : user.group}
    </Box>
  )
}
