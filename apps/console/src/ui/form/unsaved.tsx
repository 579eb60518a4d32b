import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useT } from '../../locales/use-t.ts'
import { ConfirmDialog } from '../feedback/confirm.tsx'
import { closesDialog, isLeaving } from '../use-dialog.ts'

/** Asks before the user leaves a page or the site, or goes back from a dialog, with unsaved changes. */
export const UnsavedGuard = ({ when }: { when: boolean }) => {
  const t = useT()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when &&
      !isLeaving(currentLocation.key) &&
      (currentLocation.pathname !== nextLocation.pathname ||
        closesDialog(currentLocation.search, nextLocation.search)),
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
