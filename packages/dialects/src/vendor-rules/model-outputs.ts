/**
 * The most output tokens of one answer, reasoning included, by family. The first that matches counts.
 * https://developers.openai.com/api/docs/models, https://platform.claude.com/docs/en/about-claude/models/overview,
 * https://ai.google.dev/gemini-api/docs/models
 */
const families: readonly (readonly [RegExp, number])[] = [
  [/gpt-3\.5|gpt-4-(turbo|1106|0125|vision)/, 4_096],
  [/gpt-4o|gpt-5[\w.-]*chat/, 16_384],
  [/gpt-4\.1/, 32_768],
  [/(^|[/:.])gpt-4(?![\d.o])/, 8_192],
  [/(^|[/:.])o\d(?!\d)/, 100_000],
  [/(^|[/:.])gpt-([5-9]|\d\d)/, 128_000],
  [/claude-(3-(opus|sonnet|haiku)|instant|2)/, 4_096],
  [/claude-3-5/, 8_192],
  [/claude-opus-4(-[01]|-2025|@|$)/, 32_000],
  [/claude-[\w]+-4(-[0-5](?!\d)|-2025|@|$)/, 64_000],
  [/claude/, 128_000],
  [/gemini-(1|2\.0)/, 8_192],
  [/gemini/, 65_536],
]

/** Undefined for a model of an unknown family. */
export const outputMaxOf = (model: string): number | undefined =>
  families.find(([family]) => family.test(model))?.[1]
