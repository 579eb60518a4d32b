import {
  AndNode,
  createQueryId,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PostgresAdapter,
  type QueryId,
  QueryNode,
  RawNode,
  type SelectQueryBuilder,
  type SelectQueryNode,
  sql,
} from 'kysely'
import type { Database } from '../index.ts'

/** A list or a sum that needs longer is refused, because others wait for the same connections. */
export const listDeadlineMs = 5_000

/**
 * Runs reads of `read`, each of which ends with an error at the limit: `isQueryCanceled`. PostgreSQL has a limit for each
 * statement of a transaction. SQLite cannot be interrupted, so that each of its queries calls a function for each row.
 */
export const withDeadline = <T>(
  db: Database,
  read: (limited: Database) => Promise<T>,
  limitMs = listDeadlineMs,
): Promise<T> => {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter))
    return read(db.withPlugin(deadlinePlugin(limitMs)))
  if (db.isTransaction) return read(db)
  return db.transaction().execute(async tx => {
    await sql`set local statement_timeout = ${sql.lit(limitMs)}`.execute(tx)
    return read(tx)
  })
}

/** Runs a query that was built for another connection, with the limit of this one. */
export const runLimited = async <DB, TB extends keyof DB, O>(
  limited: Database,
  query: SelectQueryBuilder<DB, TB, O>,
): Promise<O[]> => {
  const executor = limited.getExecutor()
  const id = createQueryId()
  const node = executor.transformQuery(query.toOperationNode(), id)
  const { rows } = await limited.executeQuery<O>(executor.compileQuery<O>(node, id))
  return rows
}

const functionName = 'hub_deadline'

const deadlinePlugin = (limitMs: number): KyselyPlugin => {
  const transformer = new DeadlineTransformer(sql`hub_deadline(${limitMs})`.toOperationNode())
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

/** Adds the function as the first condition of each select, so that rows that do not match are counted too. */
class DeadlineTransformer extends OperationNodeTransformer {
  readonly #condition: OperationNode

  constructor(condition: OperationNode) {
    super()
    this.#condition = condition
  }

  protected override transformSelectQuery(node: SelectQueryNode, id?: QueryId): SelectQueryNode {
    const query = super.transformSelectQuery(node, id)
    const first = query.where?.where
    // A part of a raw query is transformed by itself before.
    if (!query.from || (first && isLimited(first))) return query
    if (!first) return QueryNode.cloneWithWhere(query, this.#condition)
    const where = { ...query.where!, where: AndNode.create(this.#condition, first) }
    return { ...query, where }
  }
}

const isLimited = (condition: OperationNode): boolean => {
  if (AndNode.is(condition)) return isLimited(condition.left)
  return RawNode.is(condition) && condition.sqlFragments[0]?.startsWith(functionName) === true
}
