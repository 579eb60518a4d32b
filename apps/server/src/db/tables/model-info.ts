import type { Generated } from 'kysely'

/** Descriptions of models, for people who choose one. */
export type ModelInfoTable = {
  id: Generated<number>
  model: string
  name: string
  description: string
  /** Tokens. 0: not known. */
  context_length: number
  max_tokens: number
  /** JSON arrays of texts, as the next three. */
  input_modalities: string
  output_modalities: string
  tags: string
  support_url: string
  /** Seconds. */
  created_at: number
  updated_at: number
}
