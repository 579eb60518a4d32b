import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import type { Toast, ToastKind, ToastLabels, ToastRegionProps } from './toast-kinds.ts'

/** Toasts that are not shown yet: the code that shows them is loaded for the first one. */
let waiting: readonly Toast[] = []
const listeners = new Set<() => void>()

const setWaiting = (toasts: readonly Toast[]) => {
  waiting = toasts
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const notifier = (kind: ToastKind) => (text: string) => setWaiting([...waiting, { kind, text }])

export const notify: Record<ToastKind, (text: string) => void> = {
  success: notifier('success'),
  info: notifier('info'),
  error: notifier('error'),
  warning: notifier('warning'),
  notice: notifier('notice'),
  copy: notifier('copy'),
}

const onShown = () => setWaiting([])
const inputs = ['pointerdown', 'keydown'] as const

/**
 * Shows toasts. The first input loads their code too: it is then there when the server is away and a toast has to say
 * so.
 */
export const Toaster = (labels: ToastLabels) => {
  const toasts = useSyncExternalStore(subscribe, () => waiting)
  const [Region, setRegion] = useState<ComponentType<ToastRegionProps>>()
  const [hasInput, setInput] = useState(false)
  useEffect(() => {
    const onInput = () => setInput(true)
    for (const input of inputs) addEventListener(input, onInput, { once: true })
    return () => {
      for (const input of inputs) removeEventListener(input, onInput)
    }
  }, [])
  useEffect(() => {
    if (Region || (!hasInput && toasts.length === 0)) return
    // The next toast tries again.
    import('./toast-region.tsx').then(
      module => setRegion(() => module.ToastRegion),
      () => undefined,
    )
  }, [Region, hasInput, toasts])
  return Region ? <Region {...labels} toasts={toasts} onShown={onShown} /> : null
}
