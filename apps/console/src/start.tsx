import { lazy } from 'react'
import { DashboardPage } from './features/dashboard/page.tsx'
import { loadTexts } from './locales/language.ts'

/** The create forms that the dashboard offers on an empty installation. Features must not import each other. */
const forms = {
  channel: lazy(async () => {
    const [{ CreateChannel }] = await Promise.all([
      import('./features/channels/create/create-channel.tsx'),
      loadTexts('channels', 'channel-create'),
    ])
    return { default: CreateChannel }
  }),
  token: lazy(async () => ({
    default: (await import('./features/tokens/forms.tsx')).CreateToken,
  })),
}

const Operations = lazy(async () => {
  const [{ OperationsHome }] = await Promise.all([
    import('./features/operations/page.tsx'),
    loadTexts('operations'),
  ])
  return { default: OperationsHome }
})

export const StartPage = () => <DashboardPage forms={forms} Operations={Operations} />
