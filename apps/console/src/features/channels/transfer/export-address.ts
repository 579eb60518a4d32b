type Choice = { ids: readonly number[] } | { filters: Readonly<Record<string, unknown>> }

/** The address of the file of the chosen channels, or of all channels of the filters. */
export const exportAddress = (choice: Choice): string => {
  const query =
    'ids' in choice
      ? { ids: choice.ids.join(',') }
      : Object.fromEntries(
          Object.entries(choice.filters)
            .filter(([, value]) => value !== undefined && value !== '')
            .map(([key, value]) => [key, String(value)]),
        )
  return `/api/channel/export?${new URLSearchParams(query)}`
}
