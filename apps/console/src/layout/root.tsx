import { useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { needsNewDocument } from './analytics/document.ts'
import { CommandPalette } from './keyboard/command-palette.tsx'
import { ShortcutsHelp } from './keyboard/shortcuts-help.tsx'
import { Loading } from './loading.tsx'
import { SkipLink } from './skip-link.tsx'

/** Shared by all pages: loading progress, keyboard shortcuts, scroll and focus reset after navigation. */
export const Root = () => {
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect must run when the path changes
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    window.scrollTo({ top: 0 })
    // Moving the focus makes screen readers announce the new page.
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  const isLeft = needsNewDocument(pathname)
  useEffect(() => {
    if (isLeft) window.location.reload()
  }, [isLeft])
  if (isLeft) return <Loading />
  return (
    <>
      <SkipLink />
      {state === 'loading' && <Loading />}
      <Outlet />
      <CommandPalette />
      <ShortcutsHelp />
    </>
  )
}
