import { useQuery } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { api, query } from '../../api/index.ts'
import { data, refusal, serve, show } from '../../test/setup.tsx'
import { storedChannel } from '../../test/stored-channel.ts'
import { ResponseTime } from './response-time.tsx'

const channel = storedChannel()

const Row = () => {
  const { data } = useQuery(query(api.channels.get, { id: 7 }))
  return data ? <ResponseTime channel={data} /> : null
}

it('a failed test shows a red badge with the message of the provider, and a passed test clears it', async () => {
  let stored = channel
  let passes = false
  serve(({ method }) => {
    if (method === 'GET') return data(stored)
    stored = passes
      ? { ...stored, test_time: 1_790_000_100, test_error: '', response_time: 420 }
      : { ...stored, test_time: 1_790_000_000, test_error: 'Incorrect API key provided: ***' }
    return passes
      ? data({ time: 0.42, model: 'gpt-4o', kind: 'call' })
      : refusal(422, 'channel.test_failed')
  })
  await show(<Row />)
  await screen.findByText('Not tested')
  const runTest = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Test “main”' }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'gpt-4o' }))
  }
  await runTest()
  const badge = await screen.findByText('Test failed')
  expect(screen.queryByText('Not tested')).toBeNull()
  fireEvent.mouseOver(badge)
  expect((await screen.findByRole('tooltip')).textContent).toMatch(
    /^Test failed at .*: Incorrect API key provided: \*\*\*$/,
  )

  passes = true
  await runTest()
  await screen.findByText('420 ms')
  await waitFor(() => expect(screen.queryByText('Test failed')).toBeNull())
})
