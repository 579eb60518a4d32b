import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Tooltip from '@mui/material/Tooltip'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { useSite, useUser } from '../../api'
import { formatQuota, Quota, usedPercent, usedTone } from '../../domain'
import { Count, formatPercent, Meter, useT } from '../../ui'
import { UserAvatar } from '../header/avatar.tsx'
import { useGroup } from '../use-group.ts'

/** Name, group, balance and usage of the signed-in user. */
export const UserCard = () => {
  const t = useT()
  return (
    <Box
      component="section"
      aria-label={t('menu.account')}
      sx={{
        m: 2,
        mb: 1,
        p: 1.75,
        border: '1px solid',
        borderColor: 'divider',
        borderRadius: '12px',
      }}
    >
      <Identity />
      <Usage />
    </Box>
  )
}

const Identity = () => {
  const t = useT()
  const user = useUser()
  const group = useGroup(user.group)
  return (
    <Stack direction="row" spacing={1.25} sx={{ alignItems: 'center' }}>
      <Box
        component={Link}
        to="/panel/profile"
        aria-label={t('menu.profile')}
        sx={{ borderRadius: '50%', textDecoration: 'none' }}
      >
        <UserAvatar user={user} size={36} />
      </Box>
      {/* The group arrives later, and its place is kept free. */}
      <Box sx={{ minWidth: 0, minHeight: 41 }}>
        <Typography noWrap sx={{ fontWeight: 600, lineHeight: 1.3 }}>
          {user.display_name || user.username}
        </Typography>
        {group && (
          <Box
            sx={{
              mt: 0.25,
              px: 0.75,
              width: 'fit-content',
              maxWidth: '100%',
              fontSize: 12,
              lineHeight: '18px',
              border: '1px solid',
              borderColor: 'divider',
              borderRadius: '6px',
              color: 'text.secondary',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {group.name} · RPM: {group.api_rate}
          </Box>
        )}
      </Box>
    </Stack>
  )
}

const Usage = () => {
  const t = useT()
  const site = useSite()
  const user = useUser()
  const percent = usedPercent(user)
  const used = `${formatQuota(user.used_quota, site)} (${formatPercent(percent)})`
  return (
    <>
      <Stack
        direction="row"
        sx={{ justifyContent: 'space-between', alignItems: 'baseline', mt: 1.5 }}
      >
        <Typography variant="caption" sx={{ color: 'text.secondary' }}>
          {t('account.balance')}
        </Typography>
        <Typography sx={{ fontWeight: 600 }}>
          <Quota value={user.quota} />
        </Typography>
      </Stack>
      <Box sx={{ my: 0.75 }}>
        <Meter
          percent={percent}
          tone={usedTone(percent)}
          label={t('account.usedOf', { percent: Math.round(percent) })}
        />
      </Box>
      <Stack
        direction="row"
        sx={{ justifyContent: 'space-between', color: 'text.secondary', fontSize: 12 }}
      >
        <Tooltip title={t('account.used')}>
          <span>{used}</span>
        </Tooltip>
        <Tooltip title={t('account.calls')}>
          <span>
            <Count value={user.request_count} /> {t('account.callsShort')}
          </span>
        </Tooltip>
      </Stack>
    </>
  )
}
