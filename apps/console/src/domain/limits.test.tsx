// @vitest-environment happy-dom
import { type Group, GroupPatch, limitNames } from '@hub/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { show } from '../test/setup.tsx'
import { SchemaForm } from '../ui/form/schema-form.tsx'
import { LimitsText, nullEmptyLimits, useLimitOverrides } from './limits.tsx'

const none = Object.fromEntries(limitNames.map(each => [each, null])) as Pick<
  Group,
  (typeof limitNames)[number]
>

const Form = ({ submit }: { submit: (input: unknown) => Promise<unknown> }) => (
  <SchemaForm
    resource="groups"
    schema={GroupPatch.pick({ requests_per_day: true, quota_per_day: true, id: true })}
    initialValues={{ ...none, id: 7, requests_per_day: 40 }}
    fieldOverrides={{ ...useLimitOverrides('ofGroup'), id: { hidden: true } }}
    transform={nullEmptyLimits}
    submit={submit}
  />
)

it('an emptied limit is sent as null, and money is typed in dollars', async () => {
  const submit = vi.fn(async () => undefined)
  await show(<Form submit={submit} />)
  await userEvent.clear(screen.getByLabelText('Requests per day'))
  await userEvent.type(screen.getByLabelText('Spending per day'), '2.5')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(submit).toHaveBeenCalledWith({ ...none, id: 7, quota_per_day: 1_250_000 })
})

it('limits are shown as a short text, and no limits as unlimited', async () => {
  await show(<LimitsText {...none} requests_per_day={1_000} quota_per_month={5_000_000} />)
  expect(screen.getByText('1,000 requests/day · $10.00/month')).toBeTruthy()
  await show(<LimitsText {...none} />)
  expect(screen.getByText('Unlimited')).toBeTruthy()
})
