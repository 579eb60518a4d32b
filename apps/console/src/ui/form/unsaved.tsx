import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useT } from '../../locales/use-t.ts'
import { ConfirmDialog } from '../feedback/confirm.tsx'

/** Asks before the user leaves a page or the site with unsaved changes. */
export const UnsavedGuard = ({ when }: { when: boolean }) => {
  const t = useT()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!when) return
    const askBrowser = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', askBrowser)
    return () => window.removeEventListener('beforeunload', askBrowser)
  }, [when])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={t('common.unsaved.title')}
      text={t('common.unsaved.text')}
      confirmLabel={t('common.unsaved.discard')}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
