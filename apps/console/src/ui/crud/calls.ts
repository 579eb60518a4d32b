// biome-ignore lint/suspicious/noExplicitAny: each endpoint has its own input, which only the feature knows
type AnyCall = ((input: any, signal?: AbortSignal) => Promise<unknown>) & {
  resource: string
  action: string
}

/** The endpoints of a plain resource, such as `api.redemptions`. */
export type CrudCalls = {
  list: AnyCall
  create: AnyCall
  update: AnyCall
  remove: AnyCall
  /** Finds the record of an address that is not in the loaded list. */
  get?: AnyCall
}

export type CrudRow = { id: number; name: string }

export type Output<F extends AnyCall> = Awaited<ReturnType<F>>
export type Input<F extends AnyCall> = NonNullable<Parameters<F>[0]>

type Listed<R> = R extends { data: (infer Row)[] } ? Row : R extends (infer Row)[] ? Row : never
/** One row of the list endpoint, paged or whole. */
export type RowOf<C extends CrudCalls> = Listed<Output<C['list']>>
