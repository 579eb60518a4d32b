import { type EmbeddingsRequest, type VendorDialectId, warningCollector } from '@hub/dialects'

/** The text of each input; `refuseTokenIds` has refused the others. */
export const textsOf = ({ inputs }: EmbeddingsRequest): string[] =>
  inputs.map(input => ('text' in input ? input.text : ''))

/** For models that read one text per call. */
export const refuseSeveral = ({ inputs }: EmbeddingsRequest): string | undefined =>
  inputs.length > 1 ? "This model reads one text per call: send each 'input' alone." : undefined

/** Selects the fields that the vendor has under these names, and warns of all others that are lost. */
export const selectFields = (
  { unknownFields, user }: EmbeddingsRequest,
  dialect: VendorDialectId,
  names: readonly string[],
) => {
  const warnings = warningCollector(dialect)
  const given = Object.entries(unknownFields?.fields ?? {})
  for (const [name] of given) if (!names.includes(name)) warnings.warnDropped(name)
  if (user !== undefined) warnings.warnDropped('user')
  return { fields: Object.fromEntries(given.filter(([name]) => names.includes(name))), warnings }
}
