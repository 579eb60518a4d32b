import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition, useMemo } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './api/session.ts'
import { boot } from './boot.ts'
import { CustomizationProvider } from './layout/customization.tsx'
import { firstPage, router } from './routes.tsx'
import { Toaster } from './ui/feedback/toast.tsx'
import { makeTheme } from './ui/theme.ts'

const Console = () => {
  const { t, i18n } = useTranslation()
  const theme = useMemo(() => makeTheme(i18n.language), [i18n.language])
  return (
    <ThemeProvider theme={theme} modeStorageKey="theme" defaultMode="system" noSsr>
      <CssBaseline />
      <CustomizationProvider>
        <RouterProvider router={router} />
      </CustomizationProvider>
      <Toaster label={t('common.notifications')} closeLabel={t('common.close')} />
    </ThemeProvider>
  )
}

const element = document.getElementById('root')
const render = (root: Root) =>
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Console />
      </QueryClientProvider>
    </StrictMode>,
  )

// The skeleton stays until the first page can replace it. A transition renders in short tasks between which input is handled.
if (element)
  void Promise.all([boot(), firstPage]).then(() =>
    startTransition(() => render(createRoot(element))),
  )
