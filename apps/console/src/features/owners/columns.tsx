import type { Owner } from '@hub/contract'
import { ProviderMark } from '../../domain/index.ts'
import { Badge, type Column } from '../../ui/index.ts'

/** Ids below 1000 are channel types, which cannot be deleted. */
export const isBuiltIn = (owner: Owner) => owner.id < 1000

export const columns: Column<Owner>[] = [
  { key: 'id', width: 100, sort: true },
  {
    key: 'icon',
    width: 80,
    render: row => <ProviderMark type={row.id} name={row.name} icon={row.icon} />,
  },
  { key: 'name', sort: true },
  {
    key: 'kind',
    render: row => (
      <Badge
        tone={isBuiltIn(row) ? 'gray' : 'blue'}
        labelKey={isBuiltIn(row) ? 'owners.builtIn' : 'owners.own'}
      />
    ),
  },
]
