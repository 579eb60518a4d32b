import type { Status } from '@hub/contract'
import i18next from 'i18next'
import { queryClient } from './api/session.ts'
import { setLanguage, startLanguage, preferredLanguage } from './locales/language.ts'
import { notify } from './ui/feedback/toast.tsx'
import { sessionQuery, statusQuery } from './api/site.ts'

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

/** Before the first picture: the words. Site information and the session come meanwhile. */
export const boot = async (): Promise<void> => {
  void queryClient.prefetchQuery(sessionQuery)
  const site = queryClient.fetchQuery(statusQuery)
  // A first visit waits for the site's own language instead of flashing another one.
  const first = cachedLanguage() ?? (await site.then(each => each.language).catch(() => undefined))
  await startLanguage(preferredLanguage(first))
  void site.then(learn, () => notify.error(i18next.t('common.errors.unable')))
}

/** What the specification keeps in the browser, and what follows from the site information. */
const learn = (site: Status) => {
  localStorage.setItem('siteInfo', JSON.stringify(site))
  localStorage.setItem('quota_per_unit', String(site.quota_per_unit))
  localStorage.setItem('display_in_currency', String(site.display_in_currency))
  document.title = site.system_name
  const language = preferredLanguage(site.language)
  if (language !== i18next.language) void setLanguage(language)
  if (isNewVersion(site.version))
    notify.info(i18next.t('common.newVersion', { version: site.version }))
}
