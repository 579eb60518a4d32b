import { z } from 'zod'

/** `public` and `optional` need no session; `optional` reads one if present. The others need at least role 1, 10 or 100. */
export type Access = 'public' | 'optional' | 'user' | 'admin' | 'root'

export type Endpoint<
  I extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A extends Access = Access,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Relative to the base of the resource. */
  path: string
  access: A
  /** Path parameters, query and body as one object. A key may come from one of them only. Other keys are refused. */
  input: I
  /** Inputs of a write that come from the query. All others come from path and body; those of a GET from path and query. */
  query?: readonly string[]
  /** Fields of the row that are not writable here. They are ignored, because One Hub's clients send whole rows back. */
  ignored?: readonly string[]
  /** Lists that One Hub's forms send next to a comma list of the same names, by the field that has it. Others are refused. */
  repeated?: Readonly<Record<string, string>>
  /** An allow-list: other fields are not sent. */
  response: R
  /** A limit of calls per IP address, shared by the endpoints of its kind. */
  limit?: AddressLimit
  /** Writes an audit row. The default is true for writes by administrators. */
  audit?: boolean
  /** Names of inputs that are secret in this request, in addition to those marked in the schema. */
  secrets?: (input: Record<string, unknown>) => readonly string[]
  /** Fields of One Hub that have no effect here. A value other than empty, 0, false or `{ enabled: false }` is refused. */
  unsupported?: readonly string[]
  /** False: the body is `data` without an envelope, as in One Hub. */
  envelope?: boolean
  /** The response is a file, sent as it is. The schema of the response is `FileResponse` or `FileStream`. */
  file?: true
  /** The response is a stream of server-sent events, each of which has the schema of the response. */
  events?: true
  summary: string
}

/**
 * `failures`: calls that check a secret count until they succeed. All calls of the other kinds count: those that begin a
 * sign-in, send a message, or register a user.
 */
export type AddressLimit = 'failures' | 'starts' | 'messages' | 'registrations'

/** Returns the endpoint's `audit` flag if set; otherwise true for every write that needs an administrator. */
export const isAudited = ({ method, access, audit }: Endpoint): boolean =>
  audit ?? (method !== 'GET' && (access === 'admin' || access === 'root'))

type EndpointSpec<I extends z.ZodType, R extends z.ZodType, A extends Access> = Omit<
  Endpoint<I, R, A>,
  'method' | 'path'
>

const defineMethod =
  (method: Endpoint['method']) =>
  <I extends z.ZodType, R extends z.ZodType, const A extends Access>(
    path: string,
    spec: EndpointSpec<I, R, A>,
  ): Endpoint<I, R, A> => ({
    method,
    path,
    ...spec,
  })

export const get = defineMethod('GET')
export const post = defineMethod('POST')
export const put = defineMethod('PUT')
export const del = defineMethod('DELETE')

/** A write whose response is a stream of events. */
export const postEvents = <I extends z.ZodType, R extends z.ZodType, const A extends Access>(
  path: string,
  spec: EndpointSpec<I, R, A>,
): Endpoint<I, R, A> & { events: true } => ({ ...post(path, spec), events: true })

export type Endpoints = Record<string, Endpoint>
export type Resource<E extends Endpoints = Endpoints> = { base: string; endpoints: E }

/** Endpoints with a common base path. */
export const resource = <E extends Endpoints>(base: string, endpoints: E): Resource<E> => ({
  base,
  endpoints,
})

/** A file to download. */
export const FileResponse = z.object({
  name: z.string(),
  /** The media type. */
  type: z.string(),
  content: z.instanceof(Uint8Array<ArrayBufferLike>),
})

/** A file that is sent while it is made. */
export const FileStream = FileResponse.extend({
  content: z.custom<AsyncIterable<string>>(
    value => typeof value === 'object' && value !== null && Symbol.asyncIterator in value,
  ),
})

export const NoInput = z.object({})
/** A list of prices or of model information: the address that the server fetches, or the text itself. */
export const ListSource = z
  .object({ address: z.url({ protocol: /^https?$/ }).max(2000), text: z.string().max(1e6) })
  .partial()
  .refine(
    ({ address, text }) => (address === undefined) !== (text === undefined),
    'give an address or a text',
  )
export const Id = z.object({ id: z.number().int().positive() })
/** The response of endpoints without data. */
export const NoData = z.undefined().or(z.null())

/** Paging as in One Hub: values below 1 become the default, more than 100 rows are refused. */
export const ListQuery = z.object({
  page: z
    .number()
    .int()
    .default(1)
    .transform(page => Math.max(1, page)),
  size: z
    .number()
    .int()
    .max(100)
    .default(10)
    .transform(size => (size < 1 ? 10 : size)),
  keyword: z.string().trim().max(100).optional(),
})

/** A comma list of fields, `-` before a field for descending: `-created_at,id`. Other fields are refused. */
export const orderQuery = <F extends string>(...fields: [F, ...F[]]) =>
  z
    .string()
    .refine(
      text => text.split(',').every(each => fields.includes(each.replace(/^-/, '') as F)),
      `may name only: ${fields.join(', ')}`,
    )
    .optional()
    .meta({ fields })

export const pageOf = <T extends z.ZodType>(row: T) =>
  z.object({
    data: z.array(row),
    page: z.number(),
    size: z.number(),
    /** Exact up to 10,000. Otherwise there are at least as many rows, and `total_exact` is false. */
    total_count: z.number(),
    total_exact: z.boolean(),
  })

export type Page<T> = {
  data: T[]
  page: number
  size: number
  total_count: number
  total_exact: boolean
  /** The cursor of the next page, in lists that have cursors. */
  next?: string | null
}

type Patch<S extends z.ZodRawShape> = {
  [K in keyof S]: z.ZodOptional<S[K] extends z.ZodDefault<infer T> ? T : S[K]>
}

/**
 * A schema in which every field is optional. An absent field stays unchanged. `partial()` does not work here, because it
 * fills absent fields with their defaults and so overwrites stored values.
 */
export const patchOf = <S extends z.ZodRawShape>(schema: z.ZodObject<S>) =>
  z.object(
    Object.fromEntries(
      Object.entries(schema.shape).map(([key, field]) => [
        key,
        z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
      ]),
    ),
  ) as unknown as z.ZodObject<Patch<S>>

/** Names of fields of a row, which the compiler checks. */
export const rowFields = <R extends z.ZodObject>(
  _row: R,
  ...names: (keyof z.output<R> & string)[]
): readonly string[] => names

type CrudSummaries = Record<'list' | 'get' | 'create' | 'update' | 'remove', string>

/**
 * Makes the five endpoints that most resources share: `GET`, `POST` and `PUT` on `/`, `GET` and `DELETE` on `/:id`.
 * `created` is the response of `create`. `get` and `update` answer with `row`, `list` with pages of it.
 */
export const crud = <
  const A extends Access,
  Row extends z.ZodType,
  List extends z.ZodType,
  New extends z.ZodType,
  Created extends z.ZodType,
  Patch extends z.ZodType,
>(
  access: A,
  schemas: { row: Row; list: List; create: New; created: Created; update: Patch },
  summaries: CrudSummaries,
  updating: Pick<Endpoint, 'query' | 'ignored'> = {},
) => {
  const { row } = schemas
  const [all, one] = ['/', '/:id']
  return {
    list: get(all, { access, input: schemas.list, response: pageOf(row), summary: summaries.list }),
    get: get(one, { access, input: Id, response: row, summary: summaries.get }),
    create: post(all, {
      access,
      input: schemas.create,
      response: schemas.created,
      summary: summaries.create,
    }),
    update: put(all, {
      access,
      input: schemas.update,
      ...updating,
      response: row,
      summary: summaries.update,
    }),
    remove: del(one, { access, input: Id, response: NoData, summary: summaries.remove }),
  }
}

/** Points are integers that stay exact in JSON. 500,000 points are 1 USD. */
export const Points = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
/** Seconds since 1970. */
export const Seconds = z.number().int()
