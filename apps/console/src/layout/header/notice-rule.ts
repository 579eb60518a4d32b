export type Notice = { text: string; opens: boolean; store: string | undefined }

/**
 * A notice that is new opens by itself, and is then known. None on the server: the one that was known is still shown,
 * but does not open.
 */
export const noticeRule = (fetched: string | undefined, stored: string | null): Notice => {
  if (fetched && fetched !== stored) return { text: fetched, opens: true, store: fetched }
  return { text: fetched || stored || '', opens: false, store: undefined }
}
