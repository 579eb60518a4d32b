import type { Channel } from '@hub/contract'
import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { api, query } from '../../../api/index.ts'
import { ErrorState, Page, useAddress, useT } from '../../../ui/index.ts'
import { useProviders } from '../queries.ts'
import { Status, StatusBadge } from '../status.tsx'
import { TypeName } from '../type-name.tsx'

const tabs = ['overview', 'models', 'costs', 'routing', 'check', 'settings'] as const
type ChannelTab = (typeof tabs)[number]

/** Each tab is loaded when it is opened. */
const contents: Record<ChannelTab, ComponentType<{ channel: Channel }>> = {
  overview: lazy(async () => ({ default: (await import('./overview.tsx')).Overview })),
  models: lazy(async () => ({ default: (await import('./models/models-tab.tsx')).ModelsTab })),
  costs: lazy(async () => ({ default: (await import('../costs/costs-tab.tsx')).CostsTab })),
  routing: lazy(async () => ({ default: (await import('./routing/routing-tab.tsx')).RoutingTab })),
  check: lazy(async () => ({ default: (await import('./check-tab.tsx')).CheckTab })),
  settings: lazy(async () => ({
    default: (await import('../form/channel-form.tsx')).ChannelSettings,
  })),
}

/** One channel: its figures and changes, its models, its place among other channels, and its settings. */
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
  const TabContent = contents[tab]
  return (
    <Page
      title={channel.name}
      intro={<Subtitle channel={channel} />}
      actions={<Status channel={channel} />}
    >
      <Tabs
        value={tab}
        onChange={(_, next: ChannelTab) => setTab(next)}
        variant="scrollable"
        scrollButtons={false}
        selectionFollowsFocus
        aria-label={t('channel.tabs.label')}
        sx={{ mb: 2.5, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {tabs.map(each => (
          <Tab
            key={each}
            value={each}
            id={`channel-tab-${each}`}
            {...(each === tab && { 'aria-controls': 'channel-tab-content' })}
            label={t(`channel.tabs.${each}`)}
          />
        ))}
      </Tabs>
      <Box role="tabpanel" id="channel-tab-content" aria-labelledby={`channel-tab-${tab}`}>
        <Suspense fallback={<Skeleton variant="rounded" height={480} />}>
          <TabContent channel={channel} />
        </Suspense>
      </Box>
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
  const [params, change] = useAddress()
  const tab = tabs.find(each => each === params.get('tab')) ?? 'overview'
  const setTab = (next: ChannelTab) =>
    change({ tab: next === 'overview' ? '' : next }, { clear: true, replace: true })
  return [tab, setTab]
}
