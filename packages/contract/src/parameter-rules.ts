import { z } from 'zod'

/** A field of the request that leaves, with its inner fields behind dots, such as `generationConfig.temperature`. */
const FieldPath = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^.]+(\.[^.]+)*$/, 'must be a field, with its inner fields behind dots')

/** Billing and delivery depend on these and were decided before: model, framing, and the size of the answer that is held. */
const fixed =
  /^(model|stream|stream_options|n|max_tokens|max_completion_tokens|max_output_tokens)(\.|$)|^generation_?config(\.(max_?output_?tokens|candidate_?count))?$/i

const DecidedPath = FieldPath.refine(
  path => !fixed.test(path),
  'is decided before: model, stream and the size of the answer cannot be changed by a rule',
)

/** These fix the price of images, videos, completions and Bedrock's answers. Rules that were stored before may have them. */
const priced =
  /^(best_of|echo|batch_size|size|image_size|quality|style|partial_images|seconds|duration|duration_seconds|resolution|num_images|max_images|number_of_images|sample_count)(\.|$)|^inference_?config(\.max_?(new_?)?tokens)?$/i

const ChangedPath = DecidedPath.refine(
  path => !priced.test(path),
  'fixes the price of a request, which is decided before: it cannot be changed by a rule',
)

const Condition = z.union([
  /** The model as requested or as the vendor calls it; `*` stands for any text. */
  z.strictObject({ model: z.string().min(1).max(200) }),
  z.strictObject({ field: FieldPath, is: z.enum(['present', 'absent']) }),
  z.strictObject({ field: FieldPath, equals: z.json() }),
  z.strictObject({ field: FieldPath, matches: z.string().min(1).max(200) }),
])
export type ParameterCondition = z.output<typeof Condition>

const ruleOf = (Path: typeof FieldPath) =>
  z
    .strictObject({
      /** All of them must hold, or one of them with `any`. Absent: always. */
      when: z.array(Condition).max(20).optional(),
      any: z.boolean().optional(),
      /** Replaces what the request has. */
      set: z.record(Path, z.json()).optional(),
      /** Adds what the request does not have. */
      default: z.record(Path, z.json()).optional(),
      delete: z.array(Path).max(50).optional(),
    })
    .refine(
      rule => rule.set !== undefined || rule.default !== undefined || rule.delete !== undefined,
      'needs `set`, `default` or `delete`',
    )

export const ParameterRule = ruleOf(ChangedPath)
export type ParameterRule = z.output<typeof ParameterRule>

/** The rules of the custom parameters of a channel, in the order in which they are applied. */
export const ParameterRules = z.array(ParameterRule).max(100)

/** Rules as they are stored, which may be older than some of the fields that no rule may change now. */
export const StoredParameterRules = z.array(ruleOf(DecidedPath)).max(100)

/**
 * Reads the parameters of a virtual model's candidate: JSON text of an object whose fields are set in every request, and
 * whose `rules` are applied after them. Empty: none.
 */
export const readCandidateParameters = (
  text: string,
  schema: typeof StoredParameterRules = ParameterRules,
): z.ZodSafeParseResult<ParameterRule[]> => {
  if (text.trim() === '') return schema.safeParse([])
  const { rules = [], ...set } = objectOf(text) ?? { rules: 'not a JSON object' }
  const first = Object.keys(set).length > 0 ? [{ set }] : []
  return schema.safeParse(Array.isArray(rules) ? [...first, ...rules] : rules)
}

const objectOf = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
