import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useLocation } from 'react-router'
import { Page, useAddress, useT } from '../../ui/index.ts'
import { CreateGateway } from './gateway-dialogs.tsx'
import { Gateways } from './gateways.tsx'
import { Orders } from './orders.tsx'

const tabs = ['gateway', 'order'] as const
type TabName = (typeof tabs)[number]

/** Payment gateways and the orders of all users. The tab is in the hash of the address, as in One Hub. */
export const PaymentsPage = () => {
  const t = useT()
  const { hash } = useLocation()
  const [, change] = useAddress()
  const tab = tabs.find(each => `#${each}` === hash) ?? 'gateway'
  return (
    <Page
      title={t('payments.title')}
      intro={t('payments.intro')}
      primaryAction={tab === 'gateway' && <CreateGateway />}
    >
      <Tabs
        value={tab}
        aria-label={t('payments.tabs.label')}
        // The filters of one list mean nothing to the other.
        onChange={(_, next: TabName) => change({}, { clear: true, hash: next })}
        sx={{ mb: 2 }}
      >
        {tabs.map(each => (
          <Tab key={each} value={each} label={t(`payments.tabs.${each}`)} />
        ))}
      </Tabs>
      {tab === 'gateway' ? <Gateways /> : <Orders />}
    </Page>
  )
}
