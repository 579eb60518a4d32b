import type { StoredObject } from '@hub/providers'
import type { PaidStorage } from '../../../relay/local-responses/sealed-object.ts'

const isPaid = (storage: unknown): storage is PaidStorage => storage !== undefined

/** The address under which a request names a file: https://ai.google.dev/gemini-api/docs/files */
const fileAddressOf = (id: string): string =>
  `https://generativelanguage.googleapis.com/v1beta/${id}`

/** The object as its owner sees it. A file has the vendor's public address, whatever proxy the channel uses. */
export const presentGeminiObject = ({
  id,
  bytes: _bytes,
  expires_at: _expiresAt,
  storage,
  downloadUri: _downloadUri,
  ...fields
}: StoredObject): Record<string, unknown> => ({
  ...fields,
  ...('uri' in fields && { uri: fileAddressOf(id) }),
  ...(isPaid(storage) && { model: `models/${storage.model}` }),
})
