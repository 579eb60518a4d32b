import { lazy } from 'react'
import { DashboardPage } from './features/dashboard/page.tsx'

/** The create forms that the dashboard offers on an empty installation. Features must not import each other. */
const forms = {
  channel: lazy(async () => ({
    default: (await import('./features/channels/create/create-channel.tsx')).CreateChannel,
  })),
  price: lazy(async () => ({
    default: (await import('./features/prices/form/price-form.tsx')).FirstPrice,
  })),
  token: lazy(async () => ({
    default: (await import('./features/tokens/forms.tsx')).CreateToken,
  })),
}

export const StartPage = () => <DashboardPage forms={forms} />
