// @vitest-environment happy-dom
import { type Log, logNotes } from '@hub/contract'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../test/setup.tsx'
import { useContent } from './content.ts'

const entry = (content: string, metadata: Log['metadata']): Log => ({
  ...{ id: 7, user_id: 2, created_at: 1, type: 1, content, username: 'ada', token_name: '' },
  ...{ model_name: '', quota: 1, prompt_tokens: 0, completion_tokens: 0, channel_id: 0 },
  ...{ request_time: 0, is_stream: false, source_ip: '', metadata },
})

const Content = ({ log }: { log: Log }) => <p>{useContent()(log)}</p>

it.each(logNotes)(
  'an entry with the note %s is shown in the language of the console',
  async note => {
    await show(<Content log={entry('as stored', { note, about: 'T-1' })} />)
    expect(screen.queryByText('as stored')).toBeNull()
  },
)

it('a note names what it is about', async () => {
  await show(<Content log={entry('as stored', { note: 'order', about: 'T-1' })} />)
  expect(await screen.findByText('Order T-1')).toBeTruthy()
})

it('an entry without a note, or with one of another release, is shown as it is stored', async () => {
  await show(<Content log={entry('as stored', { note: 'of-tomorrow' })} />)
  expect(await screen.findByText('as stored')).toBeTruthy()
})
