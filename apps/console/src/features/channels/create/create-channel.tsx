import { type Channel, NewChannel } from '@hub/contract'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { api } from '../../../api/index.ts'
import { FormDialog, formatFixed, notify, useAction, useT } from '../../../ui/index.ts'
import { useChannelFields } from '../form/channel-fields.tsx'
import { affectedResources, EditChannel, useChannelSections } from '../form/channel-form.tsx'
import { defaultValuesFor, normalizeValues } from '../form/channel-values.ts'
import { useProviders } from '../queries.ts'
import { testChannel } from './run-tests.ts'
import { TestResults } from './test-results.tsx'

/** Shown after the form: a channel whose test failed, or the tests of several new channels. */
type Next = { failed: Channel } | { created: readonly Channel[] }

/** Creates one channel per key and tests each. Resolves with what remains to be shown. */
const useCreateAndTest = () => {
  const t = useT()
  const create = useAction(affectedResources, api.channels.create)
  const test = useAction('channels', (channel: Channel) => testChannel(t, channel))
  return async (values: z.output<typeof NewChannel>): Promise<Next | undefined> => {
    const created = await create.attempt(normalizeValues(values))
    const [channel, ...others] = created
    if (!channel) return undefined
    if (others.length > 0) return { created }
    notify.success(t('channels.created'))
    const result = await test.attempt(channel)
    if (result.state === 'failed') return { failed: result.channel }
    if (result.state === 'passed') {
      const { model, seconds } = result
      notify.info(
        t('channels.tested', { name: channel.name, model, seconds: formatFixed(seconds, 2) }),
      )
    }
    return undefined
  }
}

/** A channel whose test failed stays open, with the provider's message, so that it can be corrected. */
export const CreateChannel = ({ onClose }: { onClose: () => void }) => {
  const t = useT()
  const providers = useProviders()
  const createAndTest = useCreateAndTest()
  const [next, setNext] = useState<Next>()
  const hasNext = useRef(false)
  const usable = providers.find(each => each.operations.length > 0)
  const fields = useChannelFields(undefined)
  const sections = useChannelSections()
  if (providers.length === 0) return null
  if (next && 'failed' in next) return <EditChannel channel={next.failed} onClose={onClose} />
  if (next)
    return (
      <TestResults channels={next.created} edit={failed => setNext({ failed })} onClose={onClose} />
    )
  return (
    <FormDialog
      resource="channels"
      open
      onClose={() => {
        if (!hasNext.current) onClose()
      }}
      title={t('channels.create')}
      submitLabel={t('channels.createAndTest')}
      schema={NewChannel}
      initialValues={defaultValuesFor(usable)}
      fieldOverrides={fields}
      sections={sections}
      submit={async (values: z.output<typeof NewChannel>) => {
        const shown = await createAndTest(values)
        hasNext.current = shown !== undefined
        setNext(shown)
      }}
    />
  )
}
