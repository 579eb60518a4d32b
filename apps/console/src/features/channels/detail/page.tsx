import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { api, query } from '../../../api/index.ts'
import { Card, ErrorState, Page, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { StatusBadge } from '../status.tsx'
import { TypeName } from '../type-name.tsx'
import { Overview } from './overview.tsx'

const EditChannel = lazy(async () => ({
  default: (await import('../form/channel-form.tsx')).EditChannel,
}))
const ChannelRecord = lazy(async () => ({
  default: (await import('../record.tsx')).ChannelRecord,
}))
const CheckTab = lazy(async () => ({ default: (await import('./check-tab.tsx')).CheckTab }))

const tabs = ['overview', 'check', 'settings'] as const
type ChannelTab = (typeof tabs)[number]

/** One channel: its figures and changes, the check of its models, and its settings. */
export const ChannelPage = () => {
  const t = useT()
  const id = Number(useParams().id)
  const { data: channel, error, refetch } = useQuery(query(api.channels.get, { id }))
  if (channel) return <Content key={id} channel={channel} />
  return (
    <Page title={t('channel.title', { id })}>
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton variant="rounded" height={480} />
      )}
    </Page>
  )
}

const Content = ({ channel }: { channel: Channel }) => {
  const t = useT()
  const [tab, setTab] = useTab()
  const [isEditing, setEditing] = useState(false)
  return (
    <Page
      title={channel.name}
      intro={<Subtitle channel={channel} />}
      primaryAction={
        <Button variant="contained" onClick={() => setEditing(true)}>
          {t('common.edit')}
        </Button>
      }
    >
      <Tabs
        value={tab}
        onChange={(_, next: ChannelTab) => setTab(next)}
        aria-label={t('channel.tabs.label')}
        sx={{ mb: 2.5, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {tabs.map(each => (
          <Tab key={each} value={each} label={t(`channel.tabs.${each}`)} />
        ))}
      </Tabs>
      <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
        {tab === 'overview' && <Overview channel={channel} />}
        {tab === 'check' && <CheckTab channel={channel} />}
        {tab === 'settings' && (
          <Box sx={{ maxWidth: 760 }}>
            <Card>
              <ChannelRecord channel={channel} />
            </Card>
          </Box>
        )}
      </Suspense>
      <Suspense>
        {isEditing && <EditChannel channel={channel} onClose={() => setEditing(false)} />}
      </Suspense>
    </Page>
  )
}

const Subtitle = ({ channel }: { channel: Channel }) => {
  const providers = useProviders()
  return (
    <Stack
      component="span"
      direction="row"
      sx={{ alignItems: 'center', flexWrap: 'wrap', gap: 1, mt: 0.5 }}
    >
      <TypeName type={channel.type} providers={providers} />
      <span>#{channel.id}</span>
      <StatusBadge channel={channel} />
    </Stack>
  )
}

/** The chosen tab, stored in the address. */
const useTab = (): [ChannelTab, (tab: ChannelTab) => void] => {
  const [params, setParams] = useSearchParams()
  const tab = tabs.find(each => each === params.get('tab')) ?? 'overview'
  return [tab, next => setParams(next === 'overview' ? {} : { tab: next }, { replace: true })]
}
