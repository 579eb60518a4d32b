import { useEffect } from 'react'
import { useSite } from '../api/site.ts'

/** The title of the browser tab: the page and the name of the site, or the name alone. */
export const useTitle = (page = ''): void => {
  const { system_name: site } = useSite()
  useEffect(() => {
    document.title = page ? `${page} · ${site}` : site
  }, [page, site])
}
