import type { ParsedRequest } from '@hub/dialects'

/** Splits `gpt-5#high` into the model and an argument for the provider. */
export const splitModelArgument = (parsed: ParsedRequest): ParsedRequest => {
  const mark = parsed.model.indexOf('#')
  if (mark <= 0) return parsed
  return {
    ...parsed,
    model: parsed.model.slice(0, mark),
    modelSuffix: parsed.model.slice(mark + 1),
  }
}
