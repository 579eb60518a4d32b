import type { MoneyRight, OwnUser, Status } from '@hub/contract'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../locales/use-t.ts'
import { api } from './client.ts'
import { query } from './query.ts'
import { makeSessionQuery, queryClient, useEndedSession } from './session.ts'

const unloaded: Status = {
  version: '',
  hub_version: '',
  start_time: 0,
  language: 'zh_CN',
  system_name: 'One Hub',
  logo: '',
  footer_html: '',
  analytics_code: '',
  UptimeEnabled: false,
  UptimeDomain: '',
  UptimePageName: '',
  server_address: '',
  top_up_link: '',
  chat_link: '',
  chat_links: '',
  quota_per_unit: 500_000,
  display_in_currency: true,
  email_verification: false,
  password_login: true,
  password_reset: false,
  github_oauth: false,
  github_client_id: '',
  oidc_auth: false,
  lark_login: false,
  lark_client_id: '',
  custom_oauth_providers: [],
  wechat_login: false,
  wechat_qrcode: '',
  passkey_login: false,
  turnstile_check: false,
  turnstile_site_key: '',
  telegram_bot: '',
  PaymentUSDRate: 7.3,
  PaymentMinAmount: 1,
  RechargeDiscount: '{}',
  UserInvoiceMonth: false,
  insecure: false,
  time_zone: '',
}

export type Site = Status & { isLoading: boolean }

const cachedSite = (): Partial<Status> => {
  try {
    return JSON.parse(localStorage.getItem('siteInfo') ?? '{}')
  } catch {
    return {}
  }
}

export const statusQuery = { ...query(api.status.get), staleTime: 5 * 60_000 }

/** Site information. Missing fields come from the copy in this browser's local storage, then from defaults. */
export const useSite = (): Site => {
  const { data, isPending } = useQuery(statusQuery)
  return { ...unloaded, ...cachedSite(), ...data, isLoading: isPending }
}

/** The time zone of every time that the console shows: the site's, or the browser's while the site is not known. */
export const siteTimeZone = (): string =>
  queryClient.getQueryData(statusQuery.queryKey)?.time_zone ||
  cachedSite().time_zone ||
  Intl.DateTimeFormat().resolvedOptions().timeZone

export const sessionQuery = makeSessionQuery(() => api.profile.session())

/**
 * The signed-in user: null without a session, undefined while it is loading or if it cannot be loaded.
 * An open page keeps the user of its ended session while it waits for a new sign-in.
 */
export const useSession = (): OwnUser | null | undefined => {
  const { data } = useQuery(sessionQuery)
  const ended = useEndedSession()
  return data ?? ended?.user ?? data
}

/** The signed-in user on pages behind the route guard; throws elsewhere. */
export const useUser = (): OwnUser => {
  const user = useSession()
  if (!user) throw new TypeError('useUser belongs behind the guard of the console')
  return user
}

export const isAdmin = (user: { role: number } | null | undefined) => (user?.role ?? 0) >= 10
export const isRoot = (user: { role: number } | null | undefined) => (user?.role ?? 0) >= 100

/** The reason why the user may not do this write of money; undefined if it is allowed. */
export const useRightRefusal = (right: MoneyRight): string | undefined => {
  const t = useT()
  const rights = useSession()?.money_rights
  return !rights || rights.includes(right) ? undefined : t('common.rightNeeded')
}
