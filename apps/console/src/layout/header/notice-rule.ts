export type Notice = { text: string; opens: boolean; store: string | undefined }

/**
 * Decides whether a notice opens by itself: only one that differs from the stored notice does.
 * Without a notice on the server the stored one stays available.
 */
export const noticeRule = (fetched: string | undefined, stored: string | null): Notice => {
  if (fetched && fetched !== stored) return { text: fetched, opens: true, store: fetched }
  return { text: fetched || stored || '', opens: false, store: undefined }
}
