import Box from '@mui/material/Box'
import Skeleton from '@mui/material/Skeleton'
import { type ComponentType, lazy, Suspense } from 'react'
import { isAdmin, useSite, useUser } from '../../api'
import { loadTexts } from '../../locales/language.ts'
import { Page, tileColumns, useT } from '../../ui'
import type { FirstForms } from './first/first-steps.tsx'
import { useFirstSteps } from './first/use-first-steps.ts'
import { useView, ViewSwitch } from './view-switch.tsx'

/** Only an empty installation loads the first steps. */
const FirstSteps = lazy(async () => ({
  default: (await import('./first/first-steps.tsx')).FirstSteps,
}))

/** Operators start with the whole site, and load this only when they switch. */
const TodayOverview = lazy(async () => ({
  default: (await import('./today-overview.tsx')).TodayOverview,
}))

/** Only sites with a status page load it. */
const Monitors = lazy(async () => {
  const [{ Monitors }] = await Promise.all([import('./monitors.tsx'), loadTexts('monitors')])
  return { default: Monitors }
})

const cards = ['requests', 'spent', 'tokens', 'rate']

/** Has the dimensions of the overview that replaces it. */
const TodaySkeleton = () => (
  <>
    <Box sx={tileColumns}>
      {cards.map(card => (
        <Skeleton key={card} variant="rounded" height={132} />
      ))}
    </Box>
    <Skeleton variant="rounded" height={440} />
  </>
)

type Props = {
  forms: FirstForms
  /** The home of administrators: the whole site. */
  Operations: ComponentType
}

export const DashboardPage = ({ forms, Operations }: Props) => {
  const t = useT()
  const user = useUser()
  const site = useSite()
  const isOperator = isAdmin(user)
  const first = useFirstSteps(isOperator)
  const [view, setView] = useView(first.isNeeded || !isOperator ? 'mine' : 'operations')
  const name = user.display_name || user.username
  const waiting = view === 'mine' ? <TodaySkeleton /> : <Box sx={{ minHeight: '100dvh' }} />
  return (
    <Page title={t('dashboard.title')} intro={t('dashboard.hello', { name })}>
      {isOperator && !first.isLoading && <ViewSwitch view={view} setView={setView} />}
      <Box sx={{ display: 'grid', gap: 2 }}>
        {!first.isLoading && (
          <Suspense fallback={waiting}>
            {first.isNeeded && first.steps && (
              <FirstSteps
                steps={first.steps}
                setsAddress={first.setsAddress}
                refresh={first.refresh}
                forms={forms}
              />
            )}
            {isOperator && view === 'operations' ? (
              <Operations />
            ) : (
              <TodayOverview withQuickStart={!first.isNeeded} />
            )}
          </Suspense>
        )}
        {site.UptimeEnabled && (
          <Suspense>
            <Monitors />
          </Suspense>
        )}
      </Box>
    </Page>
  )
}
