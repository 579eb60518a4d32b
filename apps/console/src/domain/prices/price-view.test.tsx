// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { PriceViewToggle, usePriceView } from './price-view.tsx'

const Toggle = () => {
  const [view, setView] = usePriceView()
  return <PriceViewToggle view={view} setView={setView} />
}

it('a unit and a scale that are chosen quickly are both in the address, on the same tab', async () => {
  const router = await show(<Toggle />, '/?keyword=gpt#multiple')
  await act(async () => {
    for (const name of ['¥', '1K']) screen.getByRole('button', { name }).click()
  })
  const { search, hash } = router.state.location
  expect([search, hash]).toEqual(['?keyword=gpt&unit=cny&scale=k', '#multiple'])
})
