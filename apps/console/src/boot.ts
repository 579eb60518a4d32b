import { isPublicPage, type Status } from '@hub/contract'
import i18next from 'i18next'
import { queryClient } from './api/session.ts'
import { sessionQuery, statusQuery } from './api/site.ts'
import { preferredLanguage, setLanguage, startLanguage } from './locales/language.ts'
import { notify } from './ui/feedback/toast.tsx'

/** The One Hub version whose server this console expects. */
export const expectedVersion = 'v0.14.13'

export const isNewVersion = (version: string): boolean =>
  version !== '' && version !== 'v0.0.0' && version !== expectedVersion

const cachedLanguage = (): string | undefined => {
  try {
    return JSON.parse(localStorage.getItem('siteInfo') ?? '{}').language
  } catch {
    return undefined
  }
}

/** Loads the language and the session before the first render, and the site information at the same time. */
export const boot = async (): Promise<void> => {
  const session = queryClient.prefetchQuery(sessionQuery)
  const site = queryClient.fetchQuery(statusQuery)
  // The first visit waits for the language of the site, to avoid showing another one briefly.
  const first = cachedLanguage() ?? (await site.then(each => each.language).catch(() => undefined))
  await startLanguage(preferredLanguage(first))
  void site.then(applySite, () => notify.error(i18next.t('common.errors.unable')))
  await session
  void site.then(startAnalytics, () => {})
}

/** Third-party code sees public pages only, and no session: it could call the API in the name of the user. */
const startAnalytics = async ({ analytics_code: code }: Status) => {
  const isVisitor = queryClient.getQueryData(sessionQuery.queryKey) === null
  if (code === '' || !isVisitor || !isPublicPage(location.pathname)) return
  const { addAnalytics } = await import('./layout/analytics/add-analytics.ts')
  addAnalytics(code)
}

/** Stores the site information in the browser under One Hub's keys and applies title and language. */
const applySite = (site: Status) => {
  localStorage.setItem('siteInfo', JSON.stringify(site))
  localStorage.setItem('quota_per_unit', String(site.quota_per_unit))
  localStorage.setItem('display_in_currency', String(site.display_in_currency))
  const language = preferredLanguage(site.language)
  if (language !== i18next.language) void setLanguage(language)
  if (isNewVersion(site.version))
    notify.info(i18next.t('common.newVersion', { version: site.version }))
}
