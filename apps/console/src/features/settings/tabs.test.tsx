import { derivedSettings, settings } from '@hub/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, refusal, serve, show } from '../../test/setup.tsx'
import { SettingsForm } from './form.tsx'
import { readSettings } from './values.ts'

const open = async () => {
  const rates = { current: [], history: [] }
  serve(({ method, path }) =>
    method === 'PUT'
      ? refusal(400, 'request.invalid')
      : data(path === '/api/costs/rates' ? rates : {}),
  )
  const router = await show(<SettingsForm stored={readSettings([])} />, '/panel/setting')
  await screen.findByRole('tab', { name: 'Operation' })
  return router
}
const sectionTitles = () =>
  screen.queryAllByRole('heading', { level: 2 }).map(each => each.textContent)

it('every section of the settings is in one of three tabs', async () => {
  const router = await open()
  expect(screen.getAllByRole('tab').map(each => each.textContent)).toEqual([
    'Operation',
    'Other',
    'System',
  ])
  const found: (string | null)[] = []
  for (const tab of screen.getAllByRole('tab')) {
    fireEvent.click(tab)
    found.push(...sectionTitles())
  }
  expect(found).toHaveLength(Object.keys({ ...settings, ...derivedSettings }).length)
  expect(new Set(found).size).toBe(found.length)
  expect(router.state.location.search).toBe('?tab=system')
})

it('the index lists the sections of the tab', async () => {
  await open()
  const index = screen.getByRole('navigation', { name: 'Sections' })
  const names = within(index).getAllByRole('button')
  expect(names.map(each => each.textContent)).toEqual(sectionTitles())
})

it('a search finds settings of every tab by their texts', async () => {
  await open()
  const search = screen.getByRole('searchbox', { name: 'Search settings' })
  fireEvent.change(search, { target: { value: 'SMTPServer' } })
  expect(sectionTitles()).toEqual(['Email'])
  fireEvent.change(search, { target: { value: 'no such setting' } })
  expect(sectionTitles()).toEqual([])
  expect(screen.getByText('No results')).toBeTruthy()
})

it('a refused setting opens its tab', async () => {
  await open()
  fireEvent.click(screen.getByRole('tab', { name: 'Other' }))
  fireEvent.change(screen.getByLabelText(/^System name/), { target: { value: 'Acme AI' } })
  fireEvent.click(screen.getByRole('tab', { name: 'System' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save changes (1)' }))
  const other = await screen.findByRole('tab', { name: 'Other', selected: true })
  expect(other).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/^System name/).value).toBe('Acme AI')
})

it('a setting that differs from its default is marked, and the others are not', async () => {
  serve(() => data({}))
  const stored = readSettings([{ key: 'SystemName', value: 'Acme AI' }])
  await show(<SettingsForm stored={stored} />, '/panel/setting?tab=other')
  await screen.findByRole('tab', { name: 'Other', selected: true })
  expect(screen.getAllByText('Changed')).toHaveLength(1)
  expect(screen.getByLabelText(/^System name.*Changed/)).toBeTruthy()
  expect(screen.getByText('1 not default')).toBeTruthy()
})
