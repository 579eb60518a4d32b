import type { KyselyPlugin, OperationNode, RootOperationNode } from 'kysely'
import type { Tables } from './tables/index.ts'

export type TableName = keyof Tables
export type OnWrite = (tables: readonly TableName[], listener: () => void) => void

export type TableWrites = {
  /** Calls the listener when this process adds or changes rows of one of the tables, before the transaction is committed. */
  onWrite: OnWrite
  /** Observes the statements of a Kysely. Raw statements and the ledger's are not observed. */
  plugin: KyselyPlugin
}

/** Lets work that waits for rows sleep until this process writes some, instead of looking for them again and again. */
export const makeTableWrites = (): TableWrites => {
  const listeners = new Map<string, (() => void)[]>()
  return {
    onWrite: (tables, listener) => {
      for (const table of tables) listeners.set(table, [...(listeners.get(table) ?? []), listener])
    },
    plugin: {
      transformQuery: ({ node }) => {
        const table = writtenTable(node)
        if (table !== undefined) for (const listener of listeners.get(table) ?? []) listener()
        return node
      },
      transformResult: async ({ result }) => result,
    },
  }
}

const writtenTable = (node: RootOperationNode): string | undefined => {
  switch (node.kind) {
    case 'InsertQueryNode':
      return nameOf(node.into)
    case 'UpdateQueryNode':
      return nameOf(node.table)
    default:
      return undefined
  }
}

const nameOf = (node: OperationNode | undefined): string | undefined => {
  const table = node as
    | { node?: OperationNode; table?: { identifier: { name: string } } }
    | undefined
  return table?.table?.identifier.name ?? (table?.node && nameOf(table.node))
}
