import type { Price } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { api, query } from '../../api/index.ts'
import { Page, useT, useView, ViewToggle } from '../../ui/index.ts'
import type { Alike } from './alike.ts'
import { LaterForm, ManyForm } from './form/many-form.tsx'
import { PriceForm } from './form/price-form.tsx'
import { MultiplePrices } from './multiple.tsx'
import { ScheduledPrices } from './scheduled.tsx'
import { SinglePrices } from './single.tsx'
import { SyncDialog } from './sync/dialog.tsx'
import { UndoBar } from './undo-bar.tsx'
import { UnpricedCard } from './unpriced-card.tsx'

const tabs = ['single', 'multiple', 'scheduled'] as const
type TabName = (typeof tabs)[number]

type Opened =
  | { form: 'one'; stored?: Price; model?: string }
  | { form: 'many'; stored?: Alike }
  | { form: 'later' }
  | { form: 'sync' }

const useTab = (): [TabName, (tab: TabName) => void] => {
  const { hash, search } = useLocation()
  const navigate = useNavigate()
  const tab = tabs.find(each => `#${each}` === hash) ?? 'single'
  return [tab, next => void navigate({ search, hash: next }, { replace: true })]
}

export const PricesPage = () => {
  const t = useT()
  const [view, setView] = useView()
  const [tab, setTab] = useTab()
  const [opened, setOpened] = useState<Opened>()
  const { data: owners = [] } = useQuery(query(api.owners.list))
  const { data: prices } = useQuery(query(api.prices.list, {}))
  const creates = {
    single: { label: 'prices.create', open: { form: 'one' } as const },
    multiple: { label: 'prices.many.create', open: { form: 'many' } as const },
    scheduled: { label: 'prices.schedule.create', open: { form: 'later' } as const },
  }
  const create = (
    <Button variant="contained" onClick={() => setOpened(creates[tab].open)}>
      {t(creates[tab].label)}
    </Button>
  )
  const toggle = <ViewToggle view={view} setView={setView} />
  return (
    <Page
      title={t('prices.title')}
      intro={t('prices.intro')}
      primary={create}
      actions={
        <Button variant="outlined" color="inherit" onClick={() => setOpened({ form: 'sync' })}>
          {t('prices.sync.open')}
        </Button>
      }
    >
      <UndoBar />
      <UnpricedCard prices={prices} create={model => setOpened({ form: 'one', model })} />
      <Stack
        direction="row"
        sx={{
          mb: 2,
          alignItems: 'center',
          justifyContent: 'space-between',
          flexWrap: 'wrap',
          rowGap: 1,
        }}
      >
        <Tabs
          value={tab}
          aria-label={t('prices.tabs.label')}
          onChange={(_, next: TabName) => setTab(next)}
        >
          {tabs.map(each => (
            <Tab key={each} value={each} label={t(`prices.tabs.${each}`)} />
          ))}
        </Tabs>
        {tab !== 'single' && toggle}
      </Stack>
      {tab === 'single' && (
        <SinglePrices
          {...{ view, owners, create }}
          above={toggle}
          edit={stored => setOpened({ form: 'one', stored })}
        />
      )}
      {tab === 'multiple' && prices && (
        <MultiplePrices
          {...{ prices, owners, view, create }}
          edit={stored => setOpened({ form: 'many', stored })}
        />
      )}
      {tab === 'scheduled' && <ScheduledPrices view={view} create={create} />}
      <Forms {...{ opened, view }} onClose={() => setOpened(undefined)} />
    </Page>
  )
}

type FormsProps = {
  opened: Opened | undefined
  view: Parameters<typeof ViewToggle>[0]['view']
  onClose: () => void
}

const Forms = ({ opened, ...props }: FormsProps) => {
  if (opened?.form === 'one') return <PriceForm {...opened} {...props} />
  if (opened?.form === 'many') return <ManyForm {...opened} {...props} />
  if (opened?.form === 'later') return <LaterForm {...props} />
  if (opened?.form === 'sync') return <SyncDialog {...props} />
  return null
}
