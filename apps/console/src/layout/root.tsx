import { useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { CommandPalette } from './keyboard/command-palette.tsx'
import { KeysHelp } from './keyboard/shortcuts-help.tsx'
import { Loading } from './loading.tsx'
import { SkipLink } from './skip-link.tsx'

/** What every page has: progress while the next one loads, keys, and a beginning at the top. */
export const Root = () => {
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is what it is about
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    window.scrollTo({ top: 0 })
    // Whoever listens to the page instead of seeing it is told that another one begins.
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <>
      <SkipLink />
      {state === 'loading' && <Loading />}
      <Outlet />
      <CommandPalette />
      <KeysHelp />
    </>
  )
}
