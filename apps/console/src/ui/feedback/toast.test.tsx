// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { act } from 'react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { notify } from './toast.tsx'
import { toastDurations } from './toast-kinds.ts'

it('each kind of toast has its own duration', () => {
  expect(toastDurations).toEqual({
    success: 1500,
    info: 3000,
    error: 5000,
    warning: 10_000,
    notice: 20_000,
    copy: Number.POSITIVE_INFINITY,
  })
})

it('the same message is not shown twice', async () => {
  await show(<p>page</p>)
  await act(async () => {
    notify.error('Nothing works')
    notify.error('Nothing works')
    notify.error('Something else')
  })
  await waitFor(() => expect(screen.getAllByText('Nothing works')).toHaveLength(1))
  expect(screen.getAllByText('Something else')).toHaveLength(1)
})

it('the code of toasts is loaded for the first input, and for the first toast', async () => {
  await show(<p>page</p>)
  const region = () => screen.queryByRole('region', { name: /Notifications/ })
  expect(region()).toBeNull()
  await act(async () => void window.dispatchEvent(new Event('pointerdown')))
  await waitFor(() => expect(region()).not.toBeNull())
  cleanup()
  await show(<p>page</p>)
  expect(region()).toBeNull()
  await act(async () => notify.info('Hello'))
  await screen.findByText('Hello')
})

it('a toast enters in 225 ms and leaves in 195 ms', async () => {
  await show(<p>page</p>)
  await act(async () => notify.error('Moving'))
  const toast = (await screen.findByText('Moving')).closest<HTMLElement>('[data-sonner-toast]')!
  expect(getComputedStyle(toast).transitionDuration).toBe('225ms')
  toast.dataset.removed = 'true'
  expect(getComputedStyle(toast).transitionDuration).toBe('195ms')
})
