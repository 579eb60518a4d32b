import type { KeyboardEvent } from 'react'

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: at => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * Moves the focus between the items of a list with the arrow keys, Home and End. The keys of a control inside an item
 * stay its own.
 */
export const onArrowKeys = (items: string) => (event: KeyboardEvent<HTMLElement>) => {
  const step = steps[event.key]
  if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  const found = [...event.currentTarget.querySelectorAll<HTMLElement>(items)]
  const at = found.indexOf(event.target as HTMLElement)
  if (at === -1) return
  event.preventDefault()
  found[step(at, found.length)]?.focus()
}
