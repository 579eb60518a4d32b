import type { Provider as Described } from '@hub/contract'
import { optionsForm, type Provider } from '@hub/providers'

/** What the console draws of a vendor: all it ever learns about one. */
export const describe = (provider: Provider): Described => ({
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
  models: [...provider.presets],
  test_model: provider.testModel,
  can_list_models: provider.models !== undefined,
  can_tell_balance: provider.balance !== undefined,
  options: optionsForm(provider),
})
