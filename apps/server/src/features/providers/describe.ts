import type { Provider as ProviderDescription } from '@hub/contract'
import { optionsForm, type Provider } from '@hub/providers'

/** Describes a provider for the console, which knows nothing else about vendors. */
export const describeProvider = (provider: Provider): ProviderDescription => ({
  type: provider.type,
  id: provider.id,
  name: provider.name,
  base_url: provider.baseUrl,
  address_presets: provider.addressPresets.map(({ name, baseUrl }) => ({
    name,
    base_url: baseUrl,
  })),
  links: provider.links,
  key_hint: provider.keyHint,
  operations: Object.keys(provider.serves),
  dialects: dialectsOf(provider),
  models: [...provider.defaultModels],
  test_model: provider.testModel,
  can_list_models: provider.modelListPath !== undefined,
  can_tell_balance: provider.balance !== undefined,
  free_field: provider.freeField ?? '',
  options: optionsForm(provider),
})

const dialectsOf = ({ serves: { chat = [], embeddings = [] } }: Provider): string[] => [
  ...new Set([...chat, ...embeddings].map(each => each.dialect)),
]
