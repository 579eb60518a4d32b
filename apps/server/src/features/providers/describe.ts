import type { Provider as ProviderDescription } from '@hub/contract'
import { optionsForm, type Provider } from '@hub/providers'

/** What the console draws of a vendor: all it ever learns about one. */
export const describeProvider = (provider: Provider): ProviderDescription => ({
  type: provider.type,
  id: provider.id,
  name: provider.name,
  base_url: provider.baseUrl,
  links: provider.links,
  key_hint: provider.keyHint,
  operations: Object.keys(provider.serves),
  dialects: [
    ...new Set(Object.values(provider.serves).flatMap(ends => ends.map(each => each.dialect))),
  ],
  models: [...provider.defaultModels],
  test_model: provider.testModel,
  can_list_models: provider.modelListPath !== undefined,
  can_tell_balance: provider.balance !== undefined,
  options: optionsForm(provider),
})
