import GlobalStyles from '@mui/material/GlobalStyles'
import { useColorScheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import { type Toast, type ToastRegionProps, toastDurations } from './toast-kinds.ts'

const show = ({ kind, text }: Toast) => {
  const showToast = kind === 'notice' ? toast.info : kind === 'copy' ? toast.warning : toast[kind]
  // The text is the id, so that the same message is not shown twice.
  showToast(text, { id: `${kind}:${text}`, duration: toastDurations[kind] })
}

/** The library has no option for its motion; it shows nothing when the system asks for reduced motion. */
const motion = {
  '[data-sonner-toaster] [data-sonner-toast]': { transitionDuration: '225ms' },
  '[data-sonner-toaster] [data-sonner-toast][data-removed="true"]': { transitionDuration: '195ms' },
}

/** The region of the page that shows toasts. */
export const ToastRegion = ({ label, closeLabel, toasts, onShown }: ToastRegionProps) => {
  const isPhone = useMediaQuery('(max-width: 600px)')
  const { mode, systemMode } = useColorScheme()
  const theme = (mode === 'system' ? systemMode : mode) ?? 'light'
  // The library drops toasts from before it is mounted. Effects of children run first.
  useEffect(() => {
    if (toasts.length === 0) return
    for (const each of toasts) show(each)
    onShown()
  }, [toasts, onShown])
  return (
    <>
      <GlobalStyles styles={motion} />
      <Sonner
        position={isPhone ? 'bottom-center' : 'bottom-left'}
        offset={{ left: 'calc(var(--menu-width, 0px) + 24px)', bottom: 24 }}
        visibleToasts={3}
        closeButton
        theme={theme}
        containerAriaLabel={label}
        toastOptions={{ closeButtonAriaLabel: closeLabel, style: { fontFamily: 'inherit' } }}
      />
    </>
  )
}
