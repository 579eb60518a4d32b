import { type Channel, ChannelFields } from '@hub/contract'

/** A channel as the server returns it: with the defaults of the form, stored but never tested or used. */
export const storedChannel = (over: Partial<Channel> = {}): Channel => {
  const { proxy, model_headers, custom_parameter, ...fields } = ChannelFields.parse({
    type: 1,
    name: 'main',
    models: 'gpt-4o',
  })
  return {
    ...fields,
    is_set: { proxy: false, model_headers: false, custom_parameter: false },
    id: 7,
    status: 1,
    status_reason: '',
    key_count: 1,
    disabled_key_count: 0,
    created_time: 1,
    test_time: 0,
    test_error: '',
    test_kind: 'call',
    response_time: 0,
    balance: 0,
    balance_currency: '',
    balance_updated_time: 0,
    used_quota: 0,
    ...over,
  }
}
