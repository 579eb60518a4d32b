import { useQuery, useQueryClient } from '@tanstack/react-query'

type GetCall = ((input: { id: number }, signal?: AbortSignal) => Promise<unknown>) & {
  action: string
}
type RecordCalls = { list: { resource: string }; get?: GetCall | undefined }

/** The record that an address names by its id: from a list that was loaded, or else by a call of its own. */
export const useRecord = <Row extends object>(
  { list, get }: RecordCalls,
  id: string | undefined,
): Row | undefined => {
  const client = useQueryClient()
  const { resource } = list
  const listed =
    id === undefined ? undefined : findListed(client.getQueriesData({ queryKey: [resource] }), id)
  const { data } = useQuery({
    queryKey: [resource, 'get', { id: Number(id) }],
    queryFn: ({ signal }) => get?.({ id: Number(id) }, signal),
    enabled: get !== undefined && listed === undefined && /^[1-9]\d*$/.test(id ?? ''),
  })
  return id === undefined ? undefined : ((listed ?? data) as Row | undefined)
}

const rowsOf = (data: unknown): readonly unknown[] => {
  if (Array.isArray(data)) return data
  const page = data as { data?: unknown } | null | undefined
  return Array.isArray(page?.data) ? page.data : []
}

const findListed = (queries: [unknown, unknown][], id: string) =>
  queries
    .filter(([key]) => (key as unknown[])[1] === 'list')
    .flatMap(([, data]) => rowsOf(data))
    .find(row => String(Reflect.get(row as object, 'id')) === id)
