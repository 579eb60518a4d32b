import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { Crash } from './layout/crash.tsx'
import { PublicLayout } from './layout/public-layout.tsx'
import { Root } from './layout/root.tsx'
import { AdminOnly, RootOnly, SignedInOnly, VisitorOnly } from './layout/session/guards.tsx'
import { loadTextGroup } from './locales/language.ts'

/** Loads further texts together with a page that needs more than the public ones. */
const withTexts =
  (load: () => Promise<ComponentType>, group: Parameters<typeof loadTextGroup>[0] = 'console') =>
  async () => {
    const [Component] = await Promise.all([load(), loadTextGroup(group)])
    return Component
  }

/** A route whose page is loaded on the first visit. */
const page = (path: string | undefined, load: () => Promise<ComponentType>): RouteObject => ({
  ...(path === undefined ? { index: true as const } : { path }),
  lazy: async () => ({ Component: await load() }),
})

const notFound = async () => (await import('./features/status/not-found.tsx')).NotFoundPage
const dashboard = async () => (await import('./start.tsx')).StartPage
const playground = withTexts(
  async () => (await import('./features/playground/page.tsx')).PlaygroundPage,
)

const consoleLayout = withTexts(
  async () => (await import('./layout/console-layout.tsx')).ConsoleLayout,
)

const userRoutes: RouteObject[] = [
  page(undefined, dashboard),
  page('dashboard', dashboard),
  page('playground', playground),
  page('token', async () => (await import('./features/tokens/page.tsx')).TokensPage),
  page('model_price', async () => (await import('./features/models/page.tsx')).ModelsPage),
  page(
    'conformance',
    withTexts(
      async () => (await import('./features/conformance/page.tsx')).ConformancePage,
      'rare',
    ),
  ),
  page('log', async () => (await import('./features/logs/page.tsx')).LogsPage),
  page('topup', async () => (await import('./features/profile/top-up.tsx')).TopUpPage),
  page('profile', async () => (await import('./features/profile/page.tsx')).ProfilePage),
  page('404', notFound),
  page('*', notFound),
]

const adminRoutes: RouteObject[] = [
  page('user', async () => (await import('./features/users/page.tsx')).UsersPage),
  page('channel', async () => (await import('./features/channels/page.tsx')).ChannelsPage),
  page('user_group', async () => (await import('./features/groups/page.tsx')).GroupsPage),
  page('pricing', async () => (await import('./features/prices/page.tsx')).PricesPage),
  page('redemption', async () => (await import('./features/redemptions/page.tsx')).RedemptionsPage),
  page('simulator', async () => (await import('./features/simulator/page.tsx')).SimulatorPage),
  page('model_ownedby', async () => (await import('./features/owners/page.tsx')).OwnersPage),
]

const rootRoutes: RouteObject[] = [
  page(
    'setting',
    withTexts(async () => (await import('./features/settings/page.tsx')).SettingsPage, 'rare'),
  ),
  page(
    'audit',
    withTexts(async () => (await import('./features/audit/page.tsx')).AuditPage, 'rare'),
  ),
]

const publicRoutes: RouteObject[] = [
  page(undefined, async () => (await import('./features/status/home.tsx')).HomePage),
  page(
    'price',
    withTexts(async () => (await import('./features/models/public.tsx')).PublicModelsPage),
  ),
  page('about', async () => (await import('./features/status/about.tsx')).AboutPage),
  {
    Component: VisitorOnly,
    children: [
      page('login', async () => (await import('./features/sign-in/page.tsx')).SignInPage),
      page('register', async () => (await import('./features/sign-in/register.tsx')).RegisterPage),
    ],
  },
  { Component: SignedInOnly, children: [page('playground', playground)] },
  page('404', notFound),
  page('*', notFound),
]

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: Crash,
    children: [
      {
        path: 'panel',
        Component: SignedInOnly,
        children: [
          {
            lazy: async () => ({ Component: await consoleLayout() }),
            children: [
              {
                ErrorBoundary: Crash,
                children: [
                  ...userRoutes,
                  { Component: AdminOnly, children: adminRoutes },
                  { Component: RootOnly, children: rootRoutes },
                ],
              },
            ],
          },
        ],
      },
      { Component: PublicLayout, children: [{ ErrorBoundary: Crash, children: publicRoutes }] },
    ],
  },
]

export const router = createBrowserRouter(routes)

/** Settles when the page of the first address is loaded, or cannot be. */
export const firstPage = new Promise<void>(resolve => {
  const check = ({ initialized }: typeof router.state) => {
    if (initialized) resolve()
  }
  router.subscribe(check)
  check(router.state)
})
