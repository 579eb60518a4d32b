/** How long each kind of toast is shown, in milliseconds. */
export const toastDurations = {
  success: 1500,
  info: 3000,
  error: 5000,
  warning: 10_000,
  notice: 20_000,
  copy: Number.POSITIVE_INFINITY,
} as const

export type ToastKind = keyof typeof toastDurations
export type Toast = { kind: ToastKind; text: string }

export type ToastLabels = { label: string; closeLabel: string }
export type ToastRegionProps = ToastLabels & { toasts: readonly Toast[]; onShown: () => void }
