/**
 * Features of a model, read from its name on any platform (`anthropic.claude-…`, `claude-…@20250514`).
 * https://platform.claude.com/docs/en/about-claude/models/overview
 */
export type ClaudeFeatures = {
  /** Accepts a thinking budget. */
  thinkingBudget: boolean
  /** Accepts adaptive thinking and `effort`. */
  adaptiveThinking: boolean
  /** Rejects a thinking budget, temperature, top_p and top_k. */
  rejectsSampling: boolean
  /** Accepts response schemas and strict tools. */
  schemas: boolean
  /** Rejects temperature and top_p together. */
  singleSampler: boolean
}

const namePattern =
  /claude-(?:(opus|sonnet|haiku|fable|mythos|[a-z]+)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/

/** An unknown name gets every feature except the newest ones. */
export const featuresOf = (model: string): ClaudeFeatures => {
  const [, family, major, minor] = namePattern.exec(model) ?? []
  if (major === undefined)
    return {
      thinkingBudget: true,
      adaptiveThinking: false,
      rejectsSampling: false,
      schemas: true,
      singleSampler: false,
    }
  const version = Number(major) + Number(minor ?? 0) / 100
  const isAdaptive = version >= 4.06
  const isHaiku = family === 'haiku'
  return {
    thinkingBudget: version >= 3.07,
    adaptiveThinking: isAdaptive,
    rejectsSampling: version >= 5 || (version >= 4.07 && !isHaiku),
    schemas: version >= 4.05,
    singleSampler: version >= 4.01,
  }
}
