import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router'
import { Crash } from './layout/crash.tsx'
import { PublicLayout } from './layout/public-layout.tsx'
import { Root } from './layout/root.tsx'
import { AdminOnly, RootOnly, SignedInOnly, VisitorOnly } from './layout/session/guards.tsx'
import { loadTexts } from './locales/language.ts'

/** Loads a page together with its texts: a group, or files of `locales` by their names. */
const withTexts =
  (load: () => Promise<ComponentType>, ...texts: string[]) =>
  async () => {
    const [Component] = await Promise.all([load(), loadTexts(...texts)])
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
  'console',
  'calls',
  'playground',
)

const consoleLayout = withTexts(
  async () => (await import('./layout/console-layout.tsx')).ConsoleLayout,
  'console',
)

const userRoutes: RouteObject[] = [
  page(undefined, dashboard),
  page('dashboard', dashboard),
  page('playground', playground),
  page('token', async () => (await import('./features/tokens/page.tsx')).TokensPage),
  page(
    'model_price',
    withTexts(async () => (await import('./features/models/page.tsx')).ModelsPage, 'model-details'),
  ),
  page(
    'conformance',
    withTexts(
      async () => (await import('./features/conformance/page.tsx')).ConformancePage,
      'conformance',
    ),
  ),
  page(
    'log',
    withTexts(
      async () => (await import('./features/logs/page.tsx')).LogsPage,
      'logs',
      'prompt-cache',
    ),
  ),
  page(
    'log/sessions',
    withTexts(
      async () => (await import('./features/logs/sessions/page.tsx')).SessionsPage,
      'log-sessions',
      'prompt-cache',
    ),
  ),
  page(
    'log/:id',
    withTexts(
      async () => (await import('./features/logs/detail/page.tsx')).LogPage,
      'logs',
      'log',
      'prompt-cache',
    ),
  ),
  page(
    'midjourney',
    withTexts(
      async () => (await import('./features/midjourney/page.tsx')).MidjourneyPage,
      'midjourney',
    ),
  ),
  page(
    'task',
    withTexts(async () => (await import('./features/tasks/page.tsx')).TasksPage, 'tasks'),
  ),
  page(
    'invoice',
    withTexts(async () => (await import('./features/invoices/page.tsx')).InvoicesPage, 'invoices'),
  ),
  page(
    'invoice/detail/:date',
    withTexts(async () => (await import('./features/invoices/detail.tsx')).InvoicePage, 'invoices'),
  ),
  page('topup', async () => (await import('./features/profile/top-up.tsx')).TopUpPage),
  page('profile', async () => (await import('./features/profile/page.tsx')).ProfilePage),
  page('404', notFound),
  page('*', notFound),
]

const adminRoutes: RouteObject[] = [
  page(
    'margin',
    withTexts(async () => (await import('./features/margin/page.tsx')).MarginPage, 'margin'),
  ),
  page(
    'analytics',
    withTexts(
      async () => (await import('./features/analytics/page.tsx')).AnalyticsPage,
      'analytics',
    ),
  ),
  page(
    'user',
    withTexts(async () => (await import('./features/users/page.tsx')).UsersPage, 'users'),
  ),
  page(
    'user/invitations',
    withTexts(
      async () => (await import('./features/invitations/page.tsx')).InvitationsPage,
      'invitations',
    ),
  ),
  page(
    'channel',
    withTexts(async () => (await import('./features/channels/page.tsx')).ChannelsPage, 'channels'),
  ),
  page(
    'channel/new',
    withTexts(
      async () => (await import('./features/channels/create/page.tsx')).CreateChannelPage,
      'channels',
      'channel-create',
    ),
  ),
  page(
    'channel/:id',
    withTexts(
      async () => (await import('./features/channels/detail/page.tsx')).ChannelPage,
      'channels',
      'channel',
    ),
  ),
  page(
    'user_group',
    withTexts(async () => (await import('./features/groups/page.tsx')).GroupsPage, 'groups'),
  ),
  page(
    'user_token',
    withTexts(
      async () => (await import('./features/tokens/of-users.tsx')).UserTokensPage,
      'user-tokens',
    ),
  ),
  page('pricing', async () => (await import('./features/prices/page.tsx')).PricesPage),
  page(
    'virtual_model',
    withTexts(
      async () => (await import('./features/virtual-models/page.tsx')).VirtualModelsPage,
      'virtual-models',
    ),
  ),
  page(
    'redemption',
    withTexts(
      async () => (await import('./features/redemptions/page.tsx')).RedemptionsPage,
      'redemptions',
    ),
  ),
  page(
    'payment',
    withTexts(
      async () => (await import('./features/payments/page.tsx')).PaymentsPage,
      'payments',
      'orders',
    ),
  ),
  page(
    'notification',
    withTexts(
      async () => (await import('./features/notifications/page.tsx')).NotificationsPage,
      'notifications',
    ),
  ),
  page(
    'simulator',
    withTexts(
      async () => (await import('./features/simulator/page.tsx')).SimulatorPage,
      'simulator',
      'logs',
    ),
  ),
  page(
    'model_ownedby',
    withTexts(async () => (await import('./features/owners/page.tsx')).OwnersPage, 'owners'),
  ),
  page(
    'model_info',
    withTexts(
      async () => (await import('./features/model-info/page.tsx')).ModelInfoPage,
      'model-info',
      'model-details',
    ),
  ),
  page(
    'telegram',
    withTexts(async () => (await import('./features/telegram/page.tsx')).TelegramPage, 'telegram'),
  ),
  page(
    'audit',
    withTexts(async () => (await import('./features/audit/page.tsx')).AuditPage, 'audit'),
  ),
]

const rootRoutes: RouteObject[] = [
  page(
    'setting',
    withTexts(async () => (await import('./features/settings/page.tsx')).SettingsPage, 'settings'),
  ),
  page(
    'oauth_provider',
    withTexts(
      async () => (await import('./features/oauth-providers/page.tsx')).OAuthProvidersPage,
      'oauth-providers',
    ),
  ),
  page(
    'system_info',
    withTexts(
      async () => (await import('./features/system-info/page.tsx')).SystemInfoPage,
      'system-info',
    ),
  ),
]

const publicRoutes: RouteObject[] = [
  page(undefined, async () => (await import('./features/status/home.tsx')).HomePage),
  page(
    'price',
    withTexts(
      async () => (await import('./features/models/public.tsx')).PublicModelsPage,
      'console',
      'model-details',
    ),
  ),
  page('jump', async () => (await import('./features/status/jump.tsx')).JumpPage),
  page('about', async () => (await import('./features/status/about.tsx')).AboutPage),
  page(
    'oauth/:provider',
    withTexts(
      async () => (await import('./features/sign-in/callback.tsx')).CallbackPage,
      'security',
    ),
  ),
  {
    Component: VisitorOnly,
    children: [
      page('login', async () => (await import('./features/sign-in/page.tsx')).SignInPage),
      page('register', async () => (await import('./features/sign-in/register.tsx')).RegisterPage),
      page(
        'reset',
        async () => (await import('./features/sign-in/reset-request.tsx')).ResetRequestPage,
      ),
      page(
        'user/reset',
        async () => (await import('./features/sign-in/reset-password.tsx')).ResetPasswordPage,
      ),
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
