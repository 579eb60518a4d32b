import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { data, serve, show } from '../../test/setup.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useFirstSteps } from './use-first-steps.ts'

const PriceForm = ({ model }: { model: string }) => <p>price of {model}</p>
const forms = { channel: () => null, price: PriceForm, token: () => null }

const Steps = () => {
  const { isNeeded, isLoading: _, ...first } = useFirstSteps(true)
  return isNeeded ? <FirstSteps {...first} forms={forms} /> : null
}

const open = (models: string, priced: string[]) => {
  const list = (rows: unknown[]) =>
    data({ data: rows, page: 1, size: 1, total_count: rows.length, total_exact: true })
  serve(({ path }) => {
    if (path === '/api/channel/') return list([{ models }])
    if (path === '/api/available_model')
      return data(Object.fromEntries(priced.map(name => [name, {}])))
    if (path === '/api/token/') return list([{ id: 1, name: 'mine' }])
    return list([])
  })
  return show(<Steps />)
}

it('the price step stays open and names the offered models without a price', async () => {
  await open('a,b,c,d,e,x*', ['a'])
  const step = (await screen.findByText('Without a price (4): b, c, d, …')).closest('li')!
  expect(within(step).queryByTitle('Done')).toBeNull()
  // One priced model is enough for the first call.
  expect(screen.getByText('Make the first call')).toBeTruthy()
  fireEvent.click(within(step).getByRole('button', { name: 'Set price' }))
  expect(await screen.findByText('price of b')).toBeTruthy()
})

it('the price step is done when every offered model has a price', async () => {
  await open('a,x*', ['a'])
  expect(await screen.findAllByTitle('Done')).toHaveLength(3)
  expect(screen.queryByText(/^Without a price/)).toBeNull()
})
