import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, vi } from 'vitest'
import { queryClient } from '../api/session.ts'
import { CustomizationProvider } from '../layout/customization.tsx'
import { loadTexts, pageTextNames, startLanguage } from '../locales/language.ts'
import { Toaster } from '../ui/feedback/toast.tsx'
// Tests do not wait for this chunk to load.
import '../ui/feedback/toast-region.tsx'
import { makeTheme } from '../ui/theme.ts'

// Bounds what hangs, not what is slow: a lazy component may load for seconds on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

type StubResponse = { status?: number; body: unknown }
export type Request = { method: string; path: string; query: URLSearchParams; body: unknown }

/** Replaces `fetch` by a server that answers as the test defines, and returns the recorded requests. */
export const serve = (respond: (request: Request) => StubResponse) => {
  const requests: Request[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://console.test')
    const request = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    requests.push(request)
    const { status = 200, body } = respond(request)
    return new Response(JSON.stringify(body), {
      status,
      headers: { 'x-oneapi-request-id': 'request-1' },
    })
  })
  return requests
}

export const data = (value: unknown): StubResponse => ({
  body: { success: true, message: '', data: value },
})
export const refusal = (status: number, code: string, message = ''): StubResponse => ({
  status,
  body: { success: false, code, message },
})

/** Mounts an element with the language, theme, query cache, toasts and router of the console. `page` is its outlet. */
export const show = async (element: ReactElement, address = '/', page?: ReactElement) => {
  await startLanguage('en_US')
  await loadTexts('console', 'security', ...pageTextNames)
  const children = page ? [{ path: '*', element: page }] : []
  const router = createMemoryRouter(
    [
      { path: page ? '/' : '*', element, children },
      ...(page ? [{ path: '/login', element: null }] : []),
    ],
    { initialEntries: [address] },
  )
  await act(async () => {
    render(
      <QueryClientProvider client={queryClient}>
        <ThemeProvider theme={makeTheme('en_US')} modeStorageKey="theme" noSsr>
          <CustomizationProvider>
            <RouterProvider router={router} />
          </CustomizationProvider>
          <Toaster label="Notifications" closeLabel="Close" />
        </ThemeProvider>
      </QueryClientProvider>,
    )
  })
  return router
}
