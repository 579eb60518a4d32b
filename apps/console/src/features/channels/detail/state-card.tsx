import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, query } from '../../../api/index.ts'
import { Badge, Card, formatDuration, type Tone, useT } from '../../../ui/index.ts'
import { HealthStrip } from '../health/strip.tsx'
import { ResponseBadge, StatusBadge } from '../status.tsx'

/** Whether the channel gets calls now, why not, and how the last 24 hours went. */
export const StateCard = ({ channel }: { channel: Channel }) => {
  const t = useT()
  return (
    <Card>
      <Stack direction={{ xs: 'column', md: 'row' }} sx={{ gap: { xs: 2.5, md: 5 } }}>
        <Stack sx={{ gap: 1.25, minWidth: { md: 300 }, maxWidth: { md: 420 } }}>
          <Fact label={t('channels.fields.status')} evidence={evidenceOf(channel)}>
            <StatusBadge channel={channel} />
          </Fact>
          <CooldownFact channel={channel} />
          <Fact label={t('channel.state.test')} evidence={channel.test_error}>
            <ResponseBadge channel={channel} />
          </Fact>
        </Stack>
        <HealthStrip id={channel.id} />
      </Stack>
    </Card>
  )
}

const evidenceOf = ({ status, status_reason }: Channel) => (status === 3 ? status_reason : '')

const CooldownFact = ({ channel: { id, status } }: { channel: Channel }) => {
  const t = useT()
  const { data } = useQuery({
    ...query(api.channels.routing, { id }),
    refetchInterval: 15_000,
  })
  const cooldown = data?.cooldowns.find(each => each.channel_id === id)
  const tone: Tone = cooldown ? 'amber' : 'green'
  return (
    <Fact
      label={t('channel.state.cooldown')}
      evidence={cooldown && cooldown.models.length > 0 ? cooldown.models.join(', ') : ''}
    >
      {status !== 1 || !data ? (
        '–'
      ) : (
        <Badge
          tone={tone}
          text={
            cooldown
              ? t('channel.state.cooling', { time: formatDuration(cooldown.seconds * 1_000) })
              : t('channel.state.ready')
          }
        />
      )}
    </Fact>
  )
}

type FactProps = { label: string; evidence: string; children: ReactNode }

const Fact = ({ label, evidence, children }: FactProps) => (
  <Box>
    <Stack
      direction="row"
      sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 2, minHeight: 32 }}
    >
      <Typography variant="body2" sx={{ color: 'text.secondary' }}>
        {label}
      </Typography>
      {children}
    </Stack>
    {evidence && (
      <Typography
        variant="caption"
        component="p"
        sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
      >
        {evidence}
      </Typography>
    )}
  </Box>
)
