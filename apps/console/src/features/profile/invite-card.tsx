import type { Invitation } from '@hub/contract'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, query, useSite } from '../../api'
import { Quota } from '../../domain'
import { serverAddress } from '../../domain/server-address.ts'
import { Card, CopyButton, Count, ErrorState, mono, useT } from '../../ui'

/** The invitation link, the number of invited users and the reward. */
export const InviteCard = () => {
  const t = useT()
  const { data, error, refetch } = useQuery(query(api.profile.invitation))
  return (
    <Card title={t('profile.invite.title')} intro={data && <RewardSummary invitation={data} />}>
      {error && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={140} variant="rounded" />}
      {data && <Content invitation={data} />}
    </Card>
  )
}

/** The rewards of the next invitation, as far as the settings define them. */
const RewardSummary = ({ invitation }: { invitation: Invitation }) => {
  const t = useT()
  const { quota_for_inviter: inviterQuota, quota_for_invitee: inviteeQuota } = invitation
  if (inviterQuota === 0 && inviteeQuota === 0) return <>{t('profile.invite.text')}</>
  return (
    <>
      {inviterQuota > 0 && (
        <>
          {t('profile.invite.forYou')} <Quota value={inviterQuota} />
        </>
      )}
      {inviterQuota > 0 && inviteeQuota > 0 && ' · '}
      {inviteeQuota > 0 && (
        <>
          {t('profile.invite.forThem')} <Quota value={inviteeQuota} />
        </>
      )}
      {inviterQuota > 0 && <div>{t(`profile.invite.when.${invitation.reward_time}`)}</div>}
    </>
  )
}

const Content = ({ invitation }: { invitation: Invitation }) => {
  const t = useT()
  const site = useSite()
  const link = `${serverAddress(site.server_address)}/register?aff=${encodeURIComponent(invitation.code)}`
  return (
    <Stack spacing={2}>
      {!invitation.open && (
        <Alert severity="info" variant="outlined">
          {t('profile.invite.closed')}
        </Alert>
      )}
      <Stack
        direction="row"
        spacing={1}
        sx={{
          alignItems: 'center',
          pl: 1.5,
          pr: 0.5,
          py: 0.5,
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '8px',
          bgcolor: 'background.default',
        }}
      >
        <Box
          sx={{ flex: 1, minWidth: 0, fontFamily: mono, fontSize: 12, overflowWrap: 'anywhere' }}
        >
          {link}
        </Box>
        <CopyButton text={link} what={t('profile.invite.link')} />
      </Stack>
      <Stack direction="row" spacing={2}>
        <Statistic name={t('account.invited')}>
          <Count value={invitation.count} />
        </Statistic>
        <Statistic name={t('account.inviteReward')}>
          <Quota value={invitation.reward} />
        </Statistic>
        {invitation.waiting > 0 && (
          <Statistic name={t('profile.invite.waiting')}>
            <Count value={invitation.waiting} />
          </Statistic>
        )}
      </Stack>
    </Stack>
  )
}

const Statistic = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box sx={{ flex: 1 }}>
    <Typography variant="body2" sx={{ color: 'text.secondary' }}>
      {name}
    </Typography>
    <Typography sx={{ fontSize: 20, fontWeight: 600 }} component="p">
      {children}
    </Typography>
  </Box>
)
