import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { useT } from '../../locales/use-t.ts'
import { ConfirmDialog } from '../feedback/confirm.tsx'

/** Leaving a page, or the site, with changes that were not saved is asked about first. */
export const UnsavedGuard = ({ when }: { when: boolean }) => {
  const t = useT()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      when && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!when) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
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
