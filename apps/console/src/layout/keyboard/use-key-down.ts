import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Listens for key presses in the window. `typing` is true while a text field has the focus. */
export const useKeyDown = (handle: (event: KeyboardEvent, typing: boolean) => void) => {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => latest.current(event, isTyping(event.target))
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
