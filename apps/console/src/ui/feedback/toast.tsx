import GlobalStyles from '@mui/material/GlobalStyles'
import { useColorScheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Toaster as Sonner, toast } from 'sonner'

/** How long each kind of toast is shown, in milliseconds. */
export const toastDurations = {
  success: 1500,
  info: 3000,
  error: 5000,
  warning: 10_000,
  notice: 20_000,
  copy: Number.POSITIVE_INFINITY,
} as const

type Kind = keyof typeof toastDurations

const show = (kind: Kind) => (text: string) => {
  const showToast = kind === 'notice' ? toast.info : kind === 'copy' ? toast.warning : toast[kind]
  // The text is the id, so that the same message is not shown twice.
  showToast(text, { id: `${kind}:${text}`, duration: toastDurations[kind] })
}

export const notify: Record<Kind, (text: string) => void> = {
  success: show('success'),
  info: show('info'),
  error: show('error'),
  warning: show('warning'),
  notice: show('notice'),
  copy: show('copy'),
}

/** The library has no option for its motion; it shows nothing when the system asks for reduced motion. */
const motion = {
  '[data-sonner-toaster] [data-sonner-toast]': { transitionDuration: '225ms' },
  '[data-sonner-toaster] [data-sonner-toast][data-removed="true"]': { transitionDuration: '195ms' },
}

export const Toaster = ({ label, closeLabel }: { label: string; closeLabel: string }) => {
  const isPhone = useMediaQuery('(max-width: 600px)')
  const { mode, systemMode } = useColorScheme()
  const theme = (mode === 'system' ? systemMode : mode) ?? 'light'
  return (
    <>
      <GlobalStyles styles={motion} />
      <Sonner
        position={isPhone ? 'bottom-center' : 'bottom-left'}
        visibleToasts={3}
        closeButton
        theme={theme}
        containerAriaLabel={label}
        toastOptions={{ closeButtonAriaLabel: closeLabel, style: { fontFamily: 'inherit' } }}
      />
    </>
  )
}
