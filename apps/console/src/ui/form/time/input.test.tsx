// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { beforeAll, expect, it, vi } from 'vitest'
import { show } from '../../../test/setup.tsx'
import { TimeInput } from './input.tsx'

// Loaded before, so that the test does not wait for it.
beforeAll(() => import('./picker.tsx'))

it('a time is read and chosen in the time zone of the site, in the language of the user', async () => {
  localStorage.setItem('siteInfo', JSON.stringify({ time_zone: 'Asia/Shanghai' }))
  const set = vi.fn()
  // 2025-11-24 01:00 in Shanghai is the evening before in UTC.
  await show(<TimeInput id="from" label="From" value={1_763_917_200} set={set} />)
  await act(() => i18next.changeLanguage('ja_JP'))
  const field = await screen.findByRole('group', { name: 'From' })
  expect(field.textContent?.replace(/[^\d: -]/g, '')).toContain('2025-11-24 01:00')
  await userEvent.click(screen.getByRole('button', { name: /日付を選択/ }))
  await userEvent.click(await screen.findByRole('gridcell', { name: '25' }))
  await userEvent.click(screen.getByRole('button', { name: '確定' }))
  expect(set).toHaveBeenLastCalledWith(1_763_917_200 + 86_400)
})
