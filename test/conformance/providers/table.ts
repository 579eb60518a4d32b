import { join } from 'node:path'
import type { ProviderProof } from '@hub/contract'
import { callOperationIds, taskOperations } from '@hub/contract/call-operations'
import { isCallable, type Provider, providers } from '@hub/providers'
import { root } from '../../harness/paths.ts'
import { isServed, operationsOf, proofOf, storageOperations } from './fixtures.ts'

export const providersFile = join(root, 'docs/providers.md')
export const providersData = join(root, 'apps/server/src/features/conformance/providers.json')

/** The columns, in the order of the tables that name them. */
const operations = [
  ...callOperationIds,
  ...Object.keys(taskOperations),
  ...new Set(Object.values(storageOperations)),
]

/** Every channel type with the operations that it serves, and what proves each. */
export const makeProviderTable = (): ProviderProof[] =>
  providers.map(provider => ({
    type: provider.type,
    name: provider.name,
    notice: provider.unavailableReason ?? '',
    operations: operationsOf(provider).map(([operation, endpoints]) => ({
      operation,
      formats: [...new Set(endpoints.map(({ dialect }) => dialect))],
      sources: proofOf(provider, operation)?.sources ?? [],
    })),
  }))

const cellOf = (provider: Provider, operation: string): string => {
  if (!isServed(provider, operation)) return ''
  const proof = proofOf(provider, operation)
  return proof ? `[✓](../${proof.file})` : '**unproven**'
}

const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

export const providersDocument = (): string => {
  const served = providers.filter(isCallable)
  const others = providers.filter(each => !served.includes(each))
  return [
    '# Providers',
    '',
    'Written by `npm run conformance -- providers`; `npm test` fails if this page differs.',
    '',
    '✓ links the proof: a call that the vendor documents, which a test sends, answers and charges through the gateway, or for',
    "chat the fixtures with their source. **unproven** is served after another vendor's document, because the vendor's own could",
    'not be read. [Conformance](conformance.md) has the features of chat; [provider operations](provider-operations.md) tells',
    'how to add one.',
    '',
    line(['Type', 'Provider', ...operations]),
    `|${'---|'.repeat(operations.length + 2)}`,
    ...served.map(provider =>
      line([provider.type, provider.name, ...[...operations].map(name => cellOf(provider, name))]),
    ),
    '',
    '## Not callable',
    '',
    'Stored channels of these types keep their name; a new one is refused.',
    '',
    line(['Type', 'Provider', 'Reason']),
    '|---|---|---|',
    ...others.map(({ type, name, unavailableReason }) =>
      line([type, name, unavailableReason ?? 'not served yet']),
    ),
    '',
  ].join('\n')
}
