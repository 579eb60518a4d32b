import { useCallback, useContext, useEffect, useId, useRef } from 'react'
import { type DataRouter, UNSAFE_DataRouterContext, useLocation } from 'react-router'

const parameter = 'dialog'

const dialogsOf = (search: string) => new URLSearchParams(search).getAll(parameter)

/** An entry of the history remembers which step made it, and what was open then without an address. */
type EntryState = { opened?: string; layers?: readonly string[] }
const stateOf = (router: DataRouter) => (router.state.location.state ?? {}) as EntryState

/** The history entry that is being left because its dialog was closed by other means than the back button. */
let leaving: string | undefined

/** True while a dialog closes by itself: its unsaved changes were sent or discarded. */
export const isLeaving = (key: string) => key === leaving

/** True if a step in the history closes a dialog. */
export const closesDialog = (from: string, to: string) =>
  dialogsOf(to).length < dialogsOf(from).length

type Change = (search: URLSearchParams) => void

const addressAfter = (router: DataRouter, change: Change) => {
  const { search: from, hash } = router.state.location
  const search = new URLSearchParams(from)
  change(search)
  return { search: String(search), hash }
}

/** Adds an entry to the history for what was opened, which the back button closes. */
export const pushOpened = (
  router: DataRouter,
  opened: string,
  change: Change,
  layers = stateOf(router).layers ?? [],
) => router.navigate(addressAfter(router, change), { state: { opened, layers } })

/**
 * Closes what was opened: by a step back, if opening it was the last step; else by a change of the address, as when a
 * link opened it. Does nothing if the caller navigates elsewhere at once.
 */
export const closeOpened = (router: DataRouter, opened: string, change?: Change) => {
  const { key } = router.state.location
  if (isLeaving(key)) return
  leaving = key
  const unsubscribe = router.subscribe(({ location }) => {
    if (location.key === key) return
    leaving = undefined
    unsubscribe()
  })
  queueMicrotask(() => {
    const { location, navigation } = router.state
    if (location.key !== key || navigation.state !== 'idle') return
    if (stateOf(router).opened === opened) return void router.navigate(-1)
    if (change)
      void router.navigate(addressAfter(router, change), { replace: true, state: location.state })
    else leaving = undefined
  })
}

/**
 * A dialog that the address opens: `?dialog=edit:3`, where 3 is the id of its record. The back button closes it, a
 * reload keeps it, and a dialog above another has a second parameter of that name.
 */
export const useDialog = (name: string) => {
  const { router } = useContext(UNSAFE_DataRouterContext)!
  const { search } = useLocation()
  const find = useCallback(
    (text: string) => dialogsOf(text).find(each => each === name || each.startsWith(`${name}:`)),
    [name],
  )
  const entry = find(search)
  const open = useCallback(
    (id?: string | number) => {
      const opened = id === undefined ? name : `${name}:${id}`
      void pushOpened(router, opened, params => params.append(parameter, opened))
    },
    [router, name],
  )
  const close = useCallback(() => {
    const opened = find(router.state.location.search)
    if (opened === undefined) return
    closeOpened(router, opened, params => params.delete(parameter, opened))
  }, [router, find])
  return { isOpen: entry !== undefined, id: entry?.slice(name.length + 1), open, close }
}

/** The number of open dialogs and drawers that the address opened. */
let addressed = 0

/** The number of dialogs and drawers in an address. */
const countIn = (search: string) =>
  dialogsOf(search).length + Number(new URLSearchParams(search).has('open'))

/**
 * Closes a dialog or drawer with the back button. What has no address, such as a question or a key that is shown once,
 * gets an entry of the history with the address of its page.
 */
export const useBackCloses = (isOpen: boolean, close: (() => void) | undefined) => {
  const { router } = useContext(UNSAFE_DataRouterContext)!
  const id = useId()
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    return afterStep(router, () => enterLayer(router, id, () => latest.current?.()))
  }, [isOpen, router, id])
}

/** Waits for a step that is being taken: one back must not take this dialog with it, and one ahead must not be lost. */
const afterStep = (router: DataRouter, enter: () => () => void): (() => void) => {
  const isStepping = () => leaving !== undefined || router.state.navigation.state !== 'idle'
  if (!isStepping()) return enter()
  let end = router.subscribe(() => {
    if (isStepping()) return
    end()
    end = enter()
  })
  return () => end()
}

/** Gives an open dialog or drawer an entry of the history, unless its address has one. Returns what ends it. */
const enterLayer = (router: DataRouter, id: string, close: () => void): (() => void) => {
  if (addressed < countIn(router.state.location.search)) {
    addressed += 1
    return () => {
      addressed -= 1
    }
  }
  void pushOpened(router, id, () => undefined, [...(stateOf(router).layers ?? []), id])
  const unsubscribe = router.subscribe(({ historyAction }) => {
    if (historyAction === 'POP' && !stateOf(router).layers?.includes(id)) close()
  })
  return () => {
    unsubscribe()
    if (stateOf(router).opened === id) closeOpened(router, id)
  }
}
