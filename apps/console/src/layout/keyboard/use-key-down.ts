import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Calls back on a key, but a bare letter never while somebody writes. */
export const useKeys = (handle: (event: KeyboardEvent, typing: boolean) => void) => {
  const latest = useRef(handle)
  useEffect(() => {
    latest.current = handle
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event, isTyping(event.target))
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
