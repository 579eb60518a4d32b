import type { Price } from '@hub/contract'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import { api, query } from '../../api/index.ts'
import { PriceViewToggle, usePriceView } from '../../domain/index.ts'
import { loadTexts } from '../../locales/language.ts'
import { Page, useAddress, useDialog, useT } from '../../ui/index.ts'
import { MultiplePrices } from './multiple.tsx'
import type { SamePriceGroup } from './same-price.ts'
import { ScheduledPrices } from './scheduled.tsx'
import { SinglePrices } from './single.tsx'
import { UndoBar } from './undo-bar.tsx'
import { UnpricedCard } from './unpriced-card.tsx'

/** Loaded only where changes wait. */
const WaitingBar = lazy(async () => {
  const [{ WaitingBar }] = await Promise.all([
    import('./waiting-bar.tsx'),
    loadTexts('waiting-prices'),
  ])
  return { default: WaitingBar }
})

/** Loaded when they are opened. */
const forms = {
  single: lazy(async () => ({ default: (await import('./form/price-form.tsx')).PriceForm })),
  bulk: lazy(async () => ({ default: (await import('./form/bulk-form.tsx')).BulkPriceForm })),
  scheduled: lazy(async () => ({
    default: (await import('./form/bulk-form.tsx')).ScheduledPriceForm,
  })),
  sync: lazy(async () => ({ default: (await import('./sync/dialog.tsx')).SyncDialog })),
}

const tabs = ['single', 'multiple', 'scheduled'] as const
type TabName = (typeof tabs)[number]

type OpenForm =
  | { form: 'single'; stored?: Price | undefined; model?: string }
  | { form: 'bulk'; stored?: SamePriceGroup | undefined }
  | { form: 'scheduled' }
  | { form: 'sync' }

const useTab = (): [TabName, (tab: TabName) => void] => {
  const { hash } = useLocation()
  const [, change] = useAddress()
  const tab = tabs.find(each => `#${each}` === hash) ?? 'single'
  return [tab, next => change({}, { hash: next, replace: true })]
}

/** The open form, which the address names. `create:<model>` is the form of a new price of that model. */
const useOpenForm = (prices: readonly Price[] | undefined) => {
  const create = useDialog('create')
  const edit = useDialog('edit')
  const bulk = useDialog('bulk')
  const scheduled = useDialog('scheduled')
  const sync = useDialog('sync')
  // Models of one price have no id in common.
  const [group, setGroup] = useState<SamePriceGroup>()
  const stored = prices?.find(({ model }) => model === edit.id)
  const opened = (): OpenForm | undefined => {
    if (create.isOpen) return { form: 'single', model: create.id ?? '' }
    if (stored) return { form: 'single', stored }
    if (bulk.isOpen) return { form: 'bulk', stored: bulk.id === undefined ? undefined : group }
    if (scheduled.isOpen) return { form: 'scheduled' }
    return sync.isOpen ? { form: 'sync' } : undefined
  }
  const open = (next: OpenForm) => {
    if (next.form === 'single')
      return next.stored ? edit.open(next.stored.model) : create.open(next.model)
    if (next.form === 'scheduled') return scheduled.open()
    if (next.form === 'sync') return sync.open()
    setGroup(next.stored)
    bulk.open(next.stored && 'stored')
  }
  const close = () => {
    for (const each of [create, edit, bulk, scheduled, sync]) if (each.isOpen) each.close()
  }
  return { openForm: opened(), setOpenForm: open, close }
}

export const PricesPage = () => {
  const t = useT()
  const [view, setView] = usePriceView()
  const [tab, setTab] = useTab()
  const { data: waiting } = useQuery(query(api.prices.waiting))
  const { data: owners = [] } = useQuery(query(api.owners.list))
  const { data: prices } = useQuery(query(api.prices.list, {}))
  const { openForm, setOpenForm, close } = useOpenForm(prices)
  const createActions = {
    single: { label: 'prices.create', open: { form: 'single' } as const },
    multiple: { label: 'prices.bulk.create', open: { form: 'bulk' } as const },
    scheduled: { label: 'prices.schedule.create', open: { form: 'scheduled' } as const },
  }
  const create = (
    <Button variant="contained" onClick={() => setOpenForm(createActions[tab].open)}>
      {t(createActions[tab].label)}
    </Button>
  )
  const toggle = <PriceViewToggle view={view} setView={setView} />
  return (
    <Page
      title={t('prices.title')}
      intro={t('prices.intro')}
      primaryAction={create}
      actions={
        <Button variant="outlined" color="inherit" onClick={() => setOpenForm({ form: 'sync' })}>
          {t('prices.sync.open')}
        </Button>
      }
    >
      <UndoBar />
      {waiting && (
        <Suspense>
          <WaitingBar waiting={waiting} open={() => setOpenForm({ form: 'sync' })} />
        </Suspense>
      )}
      <UnpricedCard prices={prices} create={model => setOpenForm({ form: 'single', model })} />
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
          toolbar={toggle}
          edit={stored => setOpenForm({ form: 'single', stored })}
        />
      )}
      {tab === 'multiple' && prices && (
        <MultiplePrices
          {...{ prices, owners, view, create }}
          edit={stored => setOpenForm({ form: 'bulk', stored })}
        />
      )}
      {tab === 'scheduled' && <ScheduledPrices view={view} create={create} />}
      <Suspense>
        <Forms {...{ openForm, view }} onClose={close} />
      </Suspense>
    </Page>
  )
}

type FormsProps = {
  openForm: OpenForm | undefined
  view: Parameters<typeof PriceViewToggle>[0]['view']
  onClose: () => void
}

const Forms = ({ openForm, ...props }: FormsProps) => {
  if (openForm?.form === 'single') return <forms.single {...openForm} {...props} />
  if (openForm?.form === 'bulk') return <forms.bulk {...openForm} {...props} />
  if (openForm?.form === 'scheduled') return <forms.scheduled {...props} />
  if (openForm?.form === 'sync') return <forms.sync {...props} />
  return null
}
