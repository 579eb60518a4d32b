// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, useLocation } from 'react-router'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { useCustomization } from '../customization.tsx'
import { menu } from './menu.ts'
import { MenuEntries } from './sidebar.tsx'

const nothing = () => undefined

it('an entry of an unknown type and a top-level entry that is no group are shown as errors', async () => {
  const [group] = menu
  const strange = [
    { ...group, children: [{ type: 'line', id: 'strange' }] },
    { type: 'item', id: 'x' },
  ]
  await show(<MenuEntries entries={strange as unknown as typeof menu} chosen={nothing} />)
  expect(screen.getAllByRole('alert').map(each => each.textContent)).toEqual([
    'Menu Items Error',
    'Menu error: this entry is not a group',
  ])
})

/** The menu below `/panel`, another page elsewhere. */
const Site = () => {
  const { pathname } = useLocation()
  if (pathname === '/') return <Link to="/panel/log">Back</Link>
  return <MenuEntries entries={menu} chosen={nothing} />
}
const isUnfolded = (name: string) =>
  screen.getByRole('button', { name }).getAttribute('aria-expanded') === 'true'

it('a section opens with a page of its own, toggles on click, and stays so outside the console', async () => {
  const router = await show(<Site />, '/panel/log')
  expect(isUnfolded('Operations')).toBe(false)
  await act(() => router.navigate('/panel/pricing'))
  expect(isUnfolded('Operations')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Operations' }))
  await userEvent.click(screen.getByRole('button', { name: 'Payments' }))
  await act(() => router.navigate('/'))
  await userEvent.click(screen.getByRole('link', { name: 'Back' }))
  expect([isUnfolded('Operations'), isUnfolded('Payments')]).toEqual([false, true])
})

it('the state of the console has the defaults of One Hub, and a stored theme stays', async () => {
  localStorage.setItem('theme', 'dark')
  let state: ReturnType<typeof useCustomization> | undefined
  const Probe = () => {
    state = useCustomization()
    return null
  }
  await show(<Probe />)
  expect(state).toMatchObject({
    isOpen: [],
    defaultId: 'default',
    fontFamily: expect.stringContaining('system-ui'),
    borderRadius: 12,
    opened: true,
    theme: 'dark',
  })
  act(() => state?.setTheme('light'))
  expect([state?.theme, localStorage.getItem('theme')]).toEqual(['light', 'light'])
})
